import type { ListReader } from '@gateway/cache';
import type { CachedList } from '@gateway/resources';
import type { Redis } from '@gateway/store';
import type { TestApi } from './suite.ts';

/** All keys and values that an api has stored in Redis, including its queues, as text. */
export async function allStoredData({ context, keyPrefix }: TestApi): Promise<string[]> {
  // The queue connection adds no key prefix.
  const { queue } = context.redis;
  const keys = await queue.keys(`*${keyPrefix}*`);
  const values = await Promise.all(keys.map(async (key) => JSON.stringify(await contentOf(queue, key))));
  return [...keys, ...values];
}

/** Remaining seconds of a cached list for this reader; negative when the list is not cached. */
export function cacheTtl<T>({ context }: TestApi, list: CachedList<T>, reader: ListReader): Promise<number> {
  return context.redis.cache.ttl(list.keyFor(reader).entry);
}

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  switch (type) {
    case 'none':
      return null;
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1');
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      throw new Error(`${key} is a ${type}, which cannot be read.`);
  }
}
