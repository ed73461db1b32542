import { entryKey, type ListReader } from '@gateway/cache';
import type { Redis } from '@gateway/redis';
import type { CachedList } from '@gateway/views';
import type { TestApi } from './suite.ts';

/** Every key and value that an api has put into Redis, its queues' among them, as text. */
export async function everythingStored({ context, keyPrefix }: TestApi): Promise<string[]> {
  // The connection of the queues puts no prefix before keys.
  const { queue } = context.redis;
  const keys = await queue.keys(`*${keyPrefix}*`);
  const values = await Promise.all(keys.map(async (key) => JSON.stringify(await contentOf(queue, key))));
  return [...keys, ...values];
}

/** Seconds that a list is still kept for this reader; negative when it is not kept. */
export function lifetimeLeft<T>(
  { context }: TestApi,
  list: CachedList<T>,
  reader: ListReader,
): Promise<number> {
  return context.redis.cache.ttl(entryKey(list.keyFor(reader)));
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
      throw new Error(`${key} is a ${type}, which can not be looked through.`);
  }
}
