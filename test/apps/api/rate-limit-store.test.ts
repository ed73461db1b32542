import assert from 'node:assert/strict';
import { openRedis, type Redis, type RedisConnections, waitUntilReady } from '@gateway/store';
import type { Options } from 'express-rate-limit';
import { RedisOrMemoryStore } from '../../../apps/api/src/http/limits/redis-or-memory-store.ts';
import { freshKeyPrefix, testRedisUrl } from '../../support/redis/test-redis.ts';

describe('a rate limit counter', () => {
  let redis: RedisConnections;
  let counts: RedisOrMemoryStore;

  beforeEach(async () => {
    const url = testRedisUrl();
    redis = openRedis({ url, cacheUrl: url, keyPrefix: freshKeyPrefix('limit') }, 'fail-fast');
    await waitUntilReady(redis.store, 5_000);
    counts = new RedisOrMemoryStore(redis.store, 'rate:login:');
    counts.init({ windowMs: 60_000 } as Options);
  });

  afterEach(() => redis.close());

  const ttlMs = () => redis.store.pttl('rate:login:demo');

  it('has an expiry from its first request on', async () => {
    await counts.increment('demo');
    await counts.increment('demo');

    assert.ok((await ttlMs()) > 50_000);
  });

  it('can be read without being counted', async () => {
    assert.equal((await counts.get('demo')).totalHits, 0);
    await counts.increment('demo');

    const { resetTime, totalHits } = await counts.get('demo');

    assert.equal(totalHits, 1);
    assert.ok((resetTime?.getTime() ?? 0) > Date.now() + 50_000);
    assert.equal((await counts.increment('demo')).totalHits, 2);
  });

  it('keeps its expiry when it is decremented', async () => {
    await counts.increment('demo');
    await counts.increment('demo');
    await counts.decrement('demo');

    assert.equal((await counts.increment('demo')).totalHits, 2);
    assert.ok((await ttlMs()) > 50_000);
  });

  it('is not recreated without expiry when decremented after its window', async () => {
    await counts.increment('demo');
    await redis.store.del('rate:login:demo');
    await counts.decrement('demo');

    assert.equal(await redis.store.exists('rate:login:demo'), 0);
  });

  it('is kept in memory if the store fails at its first use', async () => {
    const escaped: unknown[] = [];
    const note = (error: unknown) => void escaped.push(error);
    process.on('unhandledRejection', note);
    // As between the death of a store and the moment at which its connection notices.
    const refused = async () => Promise.reject(new Error('Stream is not writeable.'));
    const dying = { status: 'ready', script: refused, call: refused } as unknown as Redis;
    const fallback = new RedisOrMemoryStore(dying, 'rate:login:');
    fallback.init({ windowMs: 60_000 } as Options);

    const { totalHits } = await fallback.increment('demo');
    await new Promise((resolve) => setImmediate(resolve));

    process.off('unhandledRejection', note);
    assert.deepEqual([totalHits, escaped], [1, []]);
  });

  it('does not become negative', async () => {
    await counts.increment('demo');
    await counts.decrement('demo');
    await counts.decrement('demo');

    assert.equal((await counts.increment('demo')).totalHits, 1);
  });
});
