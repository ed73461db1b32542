import assert from 'node:assert/strict';
import { isLocked, type RedisConnections, releaseLock, takeLock } from '@gateway/store';
import { eventually } from '../../support/eventually.ts';
import { connectRedis } from '../../support/redis/test-redis.ts';

describe('a lock in the store', () => {
  let redis: RedisConnections;
  const first = { key: 'lock', holder: 'first' };
  const second = { key: 'lock', holder: 'second' };

  beforeEach(async () => {
    redis = await connectRedis();
  });

  afterEach(() => redis.close());

  it('has one holder at a time', async () => {
    assert.equal(await takeLock(redis.store, first, 60_000), true);
    assert.equal(await takeLock(redis.store, second, 60_000), false);
    assert.equal(await isLocked(redis.store, 'lock'), true);

    await releaseLock(redis.store, first);
    assert.equal(await isLocked(redis.store, 'lock'), false);
    assert.equal(await takeLock(redis.store, second, 60_000), true);
  });

  it('passes to another holder when its time is over', async () => {
    await takeLock(redis.store, first, 50);

    await eventually(async () => await takeLock(redis.store, second, 60_000));
    await releaseLock(redis.store, first);

    assert.equal(await redis.store.get('lock'), 'second', 'the former holder releases nothing');
  });
});
