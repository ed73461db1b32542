import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import {
  createConnectionWait,
  isRedisUnavailable,
  openRedis,
  type RedisConnections,
  type RedisRetryPolicy,
  waitUntilReady,
} from '@gateway/store';
import { openGate, type RedisGate } from './redis-gate.ts';

describe('createConnectionWait', () => {
  let gate: RedisGate;
  let redis: RedisConnections;

  beforeEach(async () => {
    gate = await openGate();
  });

  afterEach(async () => {
    await redis.close();
    await gate.close();
  });

  function open(retryPolicy: RedisRetryPolicy, timeoutMs: number): () => Promise<void> {
    redis = openRedis({ url: gate.url, cacheUrl: gate.url, keyPrefix: 'p:' }, retryPolicy);
    return createConnectionWait(redis.store, timeoutMs);
  }

  async function interrupt(): Promise<void> {
    const closed = once(redis.store, 'close');
    gate.shut();
    await closed;
  }

  it('waits for the first connection, and after an interruption', async () => {
    const connected = open('fail-fast', 5_000);
    await connected();
    assert.equal(await redis.store.get('a'), null);

    await interrupt();
    const reads = [1, 2].map(async () => {
      await connected();
      return redis.store.get('a');
    });
    gate.reopen();

    assert.deepEqual(await Promise.all(reads), [null, null]);
  });

  it('fails at once in a longer outage, until it has ended', async () => {
    const connected = open('fail-fast', 20);
    assert.equal(await waitUntilReady(redis.store, 5_000), true);
    await interrupt();
    await assert.rejects(connected(), isRedisUnavailable);

    const next = connected().catch((error: unknown) => error);
    assert.ok(isRedisUnavailable(await Promise.race([next, setImmediate('waits')])));

    gate.reopen();
    assert.equal(await waitUntilReady(redis.store, 5_000), true);
    await connected();
  });

  it('leaves the wait to commands with the policy `wait`', async () => {
    const connected = open('wait', 0);
    assert.equal(await waitUntilReady(redis.store, 5_000), true);
    await interrupt();

    await connected();
    const read = redis.store.get('a');
    gate.reopen();

    assert.equal(await read, null);
  });
});
