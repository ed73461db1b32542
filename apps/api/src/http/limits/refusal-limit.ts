import { rateLimited } from '@gateway/core';
import type { Redis } from '@gateway/redis';
import type { Options } from 'express-rate-limit';
import type { RefusalLimit } from '../../auth/refusals.ts';
import { RedisOrMemoryStore } from './redis-or-memory-store.ts';

const WINDOW_MS = 60_000;

/** `limit` is the number of refused credentials per minute for each address or user; 0 for any number. */
export function createRefusalLimit(redis: Redis, limit: number): RefusalLimit {
  if (limit === 0) return { check: async () => {}, count: async () => {} };
  const counts = new RedisOrMemoryStore(redis, 'rate:refusals:');
  // The store uses no other option.
  counts.init({ windowMs: WINDOW_MS } as Options);
  return {
    async check(key) {
      const { resetTime, totalHits } = await counts.get(key);
      if (totalHits < limit) return;
      const remainingMs = (resetTime?.getTime() ?? Date.now() + WINDOW_MS) - Date.now();
      throw rateLimited('Too many requests were refused. Please wait a moment and try again.', {
        retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1000)),
      });
    },
    async count(key) {
      await counts.increment(key);
    },
  };
}
