import { Redis } from 'ioredis';

/** Asks one server over a connection for this question alone; fails at once when it is away. */
export async function askRedis<T>(port: number, ask: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => null, enableReadyCheck: false });
  redis.on('error', () => {});
  try {
    return await ask(redis);
  } finally {
    redis.disconnect();
  }
}
