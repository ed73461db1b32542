import type { Clock } from '@gateway/core';
import type { Redis } from '@gateway/store';
import type { CacheKey } from './keys.ts';
import type { OutageLog } from './outages.ts';

/** A row in a state that is expected to end by itself, such as `creating`. */
export interface RowInTransition {
  id: string;
  state: string;
  /** Since when the row is in this state, by its service. Milliseconds since the epoch; null if unknown. */
  changedAt: number | null;
}

interface Seen {
  state: string;
  since: number;
}

/** The rows in transition that the last read of a list has seen, and when that was. */
interface SeenRows {
  at: number;
  /** By id. */
  rows: ReadonlyMap<string, Seen>;
}

/** How long a list with such rows has its record without being read. Longer than a weekend. */
const KEEP_SECONDS = 7 * 24 * 3600;

export interface JudgedRows {
  /** Whether a row has been in its state for no longer than such a change may take. */
  isInTransition: boolean;
  /** The record for the next read: smaller than the list, which has all of these rows. */
  seen: string;
  seenSeconds: number;
}

/** Judges whether rows are still expected to change. See decision 184. */
export class TransitionLimit {
  readonly #limitMs: number;
  readonly #clock: Clock;

  constructor(limitSeconds: number, clock: Clock) {
    this.#limitMs = limitSeconds * 1000;
    this.#clock = clock;
  }

  /**
   * @param stored the record of the last read; null if there is none
   */
  judge(rows: readonly RowInTransition[], stored: string | null): JudgedRows {
    const now = this.#clock.now();
    const last = stored === null ? null : parseSeen(stored);
    const seen = rows.map((row) => [row.id, row.state, Math.min(this.#since(row, last, now), now)] as const);
    return {
      isInTransition: seen.some(([, , since]) => now - since < this.#limitMs),
      seen: JSON.stringify({ at: now, rows: seen }),
      seenSeconds: rows.length > 0 ? KEEP_SECONDS : Math.ceil(this.#limitMs / 1000),
    };
  }

  /**
   * Since when a row is in its state. What the gateway has seen itself is more certain than the time of the
   * service, whose clock may differ, and which some services set at other changes, too, or not at all. That
   * time counts for a row that the gateway has not watched.
   */
  #since({ changedAt, id, state }: RowInTransition, last: SeenRows | null, now: number): number {
    const changed = changedAt !== null && changedAt <= now ? changedAt : null;
    if (last === null) return changed ?? now;
    const changedSince = changed !== null && changed > last.at ? changed : null;
    const seen = last.rows.get(id);
    if (seen?.state !== state) return changedSince ?? now;
    const wasWatched = now - last.at <= this.#limitMs;
    return wasWatched ? seen.since : (changedSince ?? seen.since);
  }
}

/** Null for a newer form, and for anything else. */
function parseSeen(stored: string): SeenRows | null {
  try {
    const { at, rows } = JSON.parse(stored) as { at: number; rows: [string, string, number][] };
    return { at, rows: new Map(rows.map(([id, state, since]) => [id, { state, since }])) };
  } catch {
    return null;
  }
}

interface TransitionParts {
  redis: Redis;
  limit: TransitionLimit;
  outages: OutageLog;
}

const NONE: JudgedRows = { isInTransition: false, seen: '', seenSeconds: 0 };

/** What the last read of each list has seen in transition, for all processes. */
export class RowsInTransition {
  readonly #parts: TransitionParts;

  constructor(parts: TransitionParts) {
    this.#parts = parts;
  }

  /** Judges the rows by what the last read has seen, without which their own times count. */
  async judge(key: CacheKey, rows: readonly RowInTransition[] | null): Promise<JudgedRows> {
    const { limit, outages, redis } = this.#parts;
    if (rows === null) return NONE;
    if (rows.length === 0) return limit.judge(rows, null);
    try {
      return limit.judge(rows, await redis.get(key.seen));
    } catch (error) {
      outages.report(error);
      return limit.judge(rows, null);
    }
  }

  /** Judges the rows of a list that is not cached, and stores what was seen for the next read. */
  async judgeUncached(key: CacheKey, rows: readonly RowInTransition[]): Promise<boolean> {
    const { isInTransition, seen, seenSeconds } = await this.judge(key, rows);
    try {
      await this.#parts.redis.set(key.seen, seen, 'EX', seenSeconds);
    } catch (error) {
      this.#parts.outages.report(error);
    }
    return isInTransition;
  }
}
