import assert from 'node:assert/strict';
import { readClockOffset } from '@gateway/store';
import { Redis } from 'ioredis';
import { testRedisUrl } from '../../support/redis/test-redis.ts';

describe('the offset of the clock', () => {
  let redis: Redis;
  before(() => {
    redis = new Redis(testRedisUrl());
  });
  after(() => redis.quit());

  for (const seconds of [-30, 30]) {
    it(`is positive for a process that is ahead: ${seconds} s`, async () => {
      const offset = await readClockOffset(redis, () => Date.now() + seconds * 1000);

      assert.equal(Math.round(offset / 10) * 10, seconds);
    });
  }
});
