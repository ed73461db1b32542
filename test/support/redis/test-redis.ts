import { randomUUID } from 'node:crypto';
import { openRedis, type RedisConnections, type RedisRetryPolicy, waitUntilReady } from '@gateway/store';

/**
 * The Redis that the test run started for its suites.
 * @throws when the suites were not started by `npm test`, which starts the Redis.
 */
export function testRedisUrl(): string {
  const url = process.env.TEST_REDIS_URL;
  if (!url) {
    throw new Error(
      'TEST_REDIS_URL is not set: run the suites with `npm test -- <files>`, or name a Redis that tests may fill',
    );
  }
  return url;
}

/** A unique key prefix, which separates suites and runs. */
export function freshKeyPrefix(suite = 'suite'): string {
  return `test-${suite}-${randomUUID().slice(0, 8)}:`;
}

interface ConnectOptions {
  url?: string;
  keyPrefix?: string;
  retryPolicy?: RedisRetryPolicy;
}

/** The connections of a process, by default to the Redis of the test run with a new key prefix. */
export async function connectRedis({
  url = testRedisUrl(),
  keyPrefix = freshKeyPrefix(),
  retryPolicy = 'wait',
}: ConnectOptions = {}): Promise<RedisConnections> {
  const redis = openRedis({ url, cacheUrl: url, keyPrefix }, retryPolicy);
  await Promise.all([redis.store, redis.queue, redis.cache].map((each) => waitUntilReady(each, 5_000)));
  return redis;
}

/** A key prefix of its own in the Redis of the test run, for connections that are closed together. */
export class TestStore {
  readonly prefix = freshKeyPrefix();
  readonly #opened: RedisConnections[] = [];

  async connect(options: Omit<ConnectOptions, 'keyPrefix'> = {}): Promise<RedisConnections> {
    const redis = await connectRedis({ keyPrefix: this.prefix, ...options });
    this.#opened.push(redis);
    return redis;
  }

  async close(): Promise<void> {
    for (const redis of this.#opened) await redis.close();
  }
}
