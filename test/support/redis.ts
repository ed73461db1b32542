import { randomUUID } from 'node:crypto';

/**
 * The Redis that the test run started for its suites.
 * @throws when the suites were not started through `npm test`, which brings the Redis up.
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

/** A key prefix that no other suite and no earlier run has used; one per suite keeps suites apart. */
export function freshKeyPrefix(suite = 'suite'): string {
  return `test-${suite}-${randomUUID().slice(0, 8)}:`;
}
