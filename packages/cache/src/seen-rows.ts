import type { Redis } from '@gateway/redis';
import type { CacheKey } from './keys.ts';
import type { OutageLog } from './outage-log.ts';
import type { JudgedRows, RowInTransition, TransitionLimit } from './rows-in-transition.ts';

interface SeenRowsParts {
  redis: Redis;
  limit: TransitionLimit;
  outages: OutageLog;
}

const NONE: JudgedRows = { isInTransition: false, seen: '', seenSeconds: 0 };

/** What the last read of each list has seen in transition, for all processes. */
export class SeenRows {
  readonly #parts: SeenRowsParts;

  constructor(parts: SeenRowsParts) {
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
