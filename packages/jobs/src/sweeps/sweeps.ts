import type { Redis } from '@gateway/redis';
import type { ProgressMessage } from '../catalog/progress-message.ts';
import { jobKeys } from '../keys.ts';
import type { Leftover } from '../records/job-record.ts';
import type { JournalWrite, JournalWriter, RecordChanges } from '../records/journal-writer.ts';
import { RECORD_AFTER_END_SCRIPT, SWEEP_SCRIPT } from './sweep-scripts.ts';

/** What remains to be swept after a job's end. */
export interface Sweep {
  /** Number of known leftovers. */
  leftovers: number;
  /**
   * Until when to search for resources that late calls have made, in milliseconds since the epoch; 0 when there can be
   * none.
   */
  lookUntil: number;
}

/** The ended jobs that remain to be swept, by id. */
export async function readSweeps(redis: Redis): Promise<Map<string, Sweep>> {
  const sweeps = await redis.hgetall(jobKeys.sweeps);
  return new Map(Object.entries(sweeps).map(([jobId, text]) => [jobId, JSON.parse(text) as Sweep]));
}

/** Number of leftovers of all ended jobs. */
export async function countLeftovers(redis: Redis): Promise<number> {
  const sweeps = await readSweeps(redis);
  return [...sweeps.values()].reduce((sum, { leftovers }) => sum + leftovers, 0);
}

interface SweepLogOptions {
  redis: Redis;
  keepSeconds: number;
  /** As for `ProgressLog`. */
  unsuccessfulLimit?: number;
}

/** What the sweeper writes for one ended job. */
export class SweepLog implements JournalWriter {
  readonly jobId: string;
  readonly #redis: Redis;
  readonly #keepSeconds: number;
  readonly #unsuccessfulLimit: number;

  constructor(jobId: string, options: SweepLogOptions) {
    this.jobId = jobId;
    this.#redis = options.redis;
    this.#keepSeconds = options.keepSeconds;
    this.#unsuccessfulLimit = options.unsuccessfulLimit ?? 0;
  }

  /** Publishes nothing: only the journal of an ended job still changes. */
  publish(_message: ProgressMessage, changes?: RecordChanges, journal?: JournalWrite): Promise<void> {
    return this.record(changes ?? {}, journal);
  }

  async record(_changes: RecordChanges, journal?: JournalWrite): Promise<void> {
    if (journal === undefined) return;
    await this.#redis.eval(
      RECORD_AFTER_END_SCRIPT,
      2,
      jobKeys.record(this.jobId),
      jobKeys.journal(this.jobId),
      journal.field,
      journal.value,
    );
  }

  /** With `sweep` null nothing is left to do, and the job's keys expire from now on. */
  async close(leftovers: Leftover[], sweep: Sweep | null): Promise<void> {
    await this.#redis.eval(
      SWEEP_SCRIPT,
      6,
      jobKeys.record(this.jobId),
      jobKeys.journal(this.jobId),
      jobKeys.sweeps,
      jobKeys.log(this.jobId),
      jobKeys.unsuccessful(''),
      jobKeys.ofProject(''),
      this.jobId,
      JSON.stringify(leftovers),
      sweep === null ? '' : serializeSweep(sweep),
      this.#keepSeconds,
      this.#unsuccessfulLimit,
    );
  }
}

export function serializeSweep(sweep: Sweep): string {
  return JSON.stringify(sweep);
}
