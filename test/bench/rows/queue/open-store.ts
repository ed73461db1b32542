import { Queues } from '@gateway/jobs';
import { openRedis, type RedisConnections, waitUntilReady } from '@gateway/store';
import type { Stack } from '../../../../scripts/stack.ts';

/** The default of `redis.key_prefix`. */
export const KEY_PREFIX = 'gateway:';
const READY_MS = 5_000;

interface Store {
  redis: RedisConnections;
  queues: Queues;
  close(): Promise<void>;
}

/** Connects to the Redis of a gateway, as its processes do. */
export async function openStore({ redisUrl: url }: Stack): Promise<Store> {
  const redis = openRedis({ url, cacheUrl: url, keyPrefix: KEY_PREFIX }, 'wait');
  await Promise.all([redis.store, redis.queue].map((connection) => waitUntilReady(connection, READY_MS)));
  const queues = new Queues(redis.queue, KEY_PREFIX);
  return {
    redis,
    queues,
    async close() {
      await queues.close();
      await redis.close();
    },
  };
}
