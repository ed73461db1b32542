import { rateLimited } from '@gateway/core';
import type { Redis } from '@gateway/redis';
import type { Options } from 'express-rate-limit';
import type { RefusalLimit } from '../../auth/refusals.ts';
import { RedisOrMemoryStore } from './rate-limit-store.ts';

const WINDOW_MS = 60_000;

/** Refused credentials per minute: `limit` for each address or user, 0 for any number. */
export function createRefusalLimit(redis: Redis, limit: number): RefusalLimit {
  if (limit === 0) return { take: async () => {}, count: async () => {}, giveBack: async () => {} };
  const counts = new RedisOrMemoryStore(redis, 'rate:refusals:');
  // The store reads nothing else of the options.
  counts.init({ windowMs: WINDOW_MS } as Options);
  return {
    async take(countedAs) {
      const { resetTime, totalHits } = await counts.increment(countedAs);
      if (totalHits <= limit) return;
      const remainingMs = (resetTime?.getTime() ?? Date.now() + WINDOW_MS) - Date.now();
      throw rateLimited('Too many requests were refused. Please wait a moment and try again.', {
        retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1000)),
      });
    },
    async count(countedAs) {
      await counts.increment(countedAs);
    },
    giveBack: (countedAs) => counts.decrement(countedAs),
  };
}
