import { randomUUID } from 'node:crypto';

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
