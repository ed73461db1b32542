import { rateLimited } from '@gateway/core';
import type { Logger } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import type { Options } from 'express-rate-limit';
import { RedisOrMemoryStore } from './redis-or-memory-store.ts';

/**
 * Limits requests by the failures before them. A failure counts once it has happened, so any number of
 * requests may succeed at the same time. See decision 34.
 */
export interface FailureLimit {
  /** @throws `rate_limited` once the limit is reached */
  check(key: string): Promise<void>;
  /** Counts a failure, also beyond the limit. */
  count(key: string): Promise<void>;
}

interface FailureLimitOptions {
  redis: Redis;
  logger: Logger;
  /** Distinguishes its counts from those of other limits. */
  name: string;
  /** Failures per minute; 0 for any number. */
  limitOf(key: string): number;
}

const WINDOW_MS = 60_000;

export function createFailureLimit({ limitOf, ...counter }: FailureLimitOptions): FailureLimit {
  const counts = new RedisOrMemoryStore(counter);
  // The store uses no other option.
  counts.init({ windowMs: WINDOW_MS } as Options);
  return {
    async check(key) {
      const limit = limitOf(key);
      if (limit === 0) return;
      const { resetTime, totalHits } = await counts.get(key);
      if (totalHits < limit) return;
      const remainingMs = (resetTime?.getTime() ?? Date.now() + WINDOW_MS) - Date.now();
      throw rateLimited('Too many requests were refused. Please wait a moment and try again.', {
        retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1000)),
      });
    },
    async count(key) {
      if (limitOf(key) > 0) await counts.increment(key);
    },
  };
}
