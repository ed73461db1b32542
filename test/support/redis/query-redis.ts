import { Redis } from 'ioredis';

/** Runs commands on a server over a new connection. Fails at once when the server is unavailable. */
export async function queryRedis<T>(port: number, query: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => null, enableReadyCheck: false });
  redis.on('error', () => {});
  try {
    return await query(redis);
  } finally {
    redis.disconnect();
  }
}
