import assert from 'node:assert/strict';
import {
  isRedisUnavailable,
  openRedis,
  type RedisConnections,
  type RedisRetryPolicy,
  replicatedWrite,
  waitUntilReady,
} from '@gateway/store';
import { type RedisPair, startRedisPair } from '../../support/redis/redis-pair.ts';

describe('a pair of Redis servers that Sentinels watch', function () {
  this.timeout(120_000);
  let pair: RedisPair;
  const opened: RedisConnections[] = [];

  before(async () => {
    pair = await startRedisPair();
  });

  after(() => pair?.stop());

  afterEach(async () => {
    for (const redis of opened.splice(0)) await redis.close();
  });

  function open(retryPolicy: RedisRetryPolicy, sentinels = pair.sentinels): RedisConnections {
    const url = 'redis://by.sentinels/0';
    const redis = openRedis(
      { url, cacheUrl: url, keyPrefix: 'p:', sentinels, sentinelName: pair.name, waitForReplicas: 1 },
      retryPolicy,
    );
    opened.push(redis);
    return redis;
  }

  it('is unavailable, and fails fast, without Sentinels', async () => {
    const redis = open('fail-fast', ['127.0.0.1:1']);

    await assert.rejects(redis.store.get('a'), isRedisUnavailable);

    assert.equal(redis.isReady(), false);
  });

  // Runs last, because it stops a server.
  it('loses no write when the primary dies: waiting commands continue', async () => {
    const [patient, hasty] = [open('wait'), open('fail-fast')];
    assert.equal(await waitUntilReady(hasty.store, 5_000), true);
    const write = () => replicatedWrite(patient.store, 'counted', (pipeline) => pipeline.incr('counted'));
    assert.equal(await write(), 1);

    await pair.primary.kill('SIGKILL');
    const next = write();

    await assert.rejects(hasty.store.set('a', '1'), isRedisUnavailable);
    assert.equal(await next, 2);
    assert.equal(await write(), 3);
    assert.equal(await waitUntilReady(hasty.store, 10_000), true);
    assert.equal(await hasty.store.get('counted'), '3');
    assert.equal(await hasty.store.set('a', '1'), 'OK');
  });
});
