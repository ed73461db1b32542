import type { Redis } from '@gateway/store';
import { addSnapshotScript } from './scripts.ts';
import { TIME_SERIES_FIELDS, type TimeSeriesPoint, type TimeSeriesType } from './time-series.ts';

export const HOUR_MS = 3_600_000;

interface TimeSeriesStoreOptions {
  redis: Redis;
  keepSeconds: number;
}

/** A snapshot, and the beginning of its hour in milliseconds since the epoch. */
interface StoredSnapshot {
  hour: number;
  snapshot: TimeSeriesPoint;
}

/** Snapshots of the whole cloud: a sorted set for each type, with one short entry for each hour. */
export class TimeSeriesStore {
  readonly #options: TimeSeriesStoreOptions;

  constructor(options: TimeSeriesStoreOptions) {
    this.#options = options;
  }

  /**
   * Stores the snapshot unless the hour already has one. Removes snapshots that are older
   * than the configured time.
   */
  async add(type: TimeSeriesType, hour: number, snapshot: Partial<TimeSeriesPoint>): Promise<void> {
    const { redis, keepSeconds } = this.#options;
    const fields: readonly string[] = TIME_SERIES_FIELDS[type];
    const values = fields.map((field) => (snapshot as Record<string, number>)[field] ?? 0);
    const args = { hour, entry: `${hour},${values.join(',')}`, keepSeconds };
    await addSnapshotScript.runReplicated(redis, { snapshots: keyOf(type) }, args);
  }

  async has(type: TimeSeriesType, hour: number): Promise<boolean> {
    return (await this.#options.redis.zcount(keyOf(type), hour, hour)) > 0;
  }

  /** The snapshots since this time, oldest first. */
  async read(type: TimeSeriesType, since: number): Promise<StoredSnapshot[]> {
    const entries = await this.#options.redis.zrangebyscore(keyOf(type), since, '+inf');
    return entries.map((entry) => {
      const [hour = 0, ...values] = entry.split(',').map(Number);
      const fields = TIME_SERIES_FIELDS[type].map((field, index) => [field, values[index] ?? 0]);
      return { hour, snapshot: Object.fromEntries(fields) as TimeSeriesPoint };
    });
  }
}

function keyOf(type: TimeSeriesType): string {
  return `{time-series}:${type}`;
}
