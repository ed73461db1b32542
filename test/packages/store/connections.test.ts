import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import {
  isRedisUnavailable,
  openRedis,
  type RedisConnections,
  type RedisEvents,
  type RedisRetryPolicy,
  respondsWithin,
  waitUntilReady,
} from '@gateway/store';
import { startRedis } from '../../../scripts/redis.ts';
import { freshKeyPrefix, testRedisUrl } from '../../support/redis/test-redis.ts';
import { openGate, type RedisGate } from './redis-gate.ts';

/** Nothing listens there, so that every connection is refused. */
const NOBODY = 'redis://127.0.0.1:1';

describe('openRedis', () => {
  const opened: RedisConnections[] = [];

  function open(
    url: string,
    retryPolicy: RedisRetryPolicy,
    events?: RedisEvents,
    cacheUrl = url,
  ): RedisConnections {
    const redis = openRedis({ url, cacheUrl, keyPrefix: freshKeyPrefix('redis') }, retryPolicy, events);
    opened.push(redis);
    return redis;
  }

  afterEach(async () => {
    for (const redis of opened.splice(0)) await redis.close();
  });

  it('prefixes the keys of the store and of blocking readers', async () => {
    const redis = open(testRedisUrl(), 'wait');
    await redis.store.set('a', '1', 'EX', 60);
    assert.equal(await redis.blocking('reader').get('a'), '1');
    assert.equal(await redis.queue.get('a'), null);
    const prefix = redis.store.options.keyPrefix;
    assert.equal(await redis.queue.get(`${prefix}a`), '1');
  });

  it('uses one connection for store and cache by default', () => {
    const url = testRedisUrl();
    const one = open(url, 'wait');
    assert.equal(one.cache, one.store);
    const two = open(url, 'wait', {}, `${url}/1`);
    assert.notEqual(two.cache, two.store);
  });

  it('survives a second error of a socket, and connects again', async () => {
    const { store } = open(testRedisUrl(), 'wait');
    await store.ping();
    const { stream } = store as unknown as { stream: EventEmitter };

    stream.emit('error', new Error('The write has failed'));
    stream.emit('error', new Error('The server has sent an alert'));

    assert.equal(await store.ping(), 'PONG');
  });

  it('is ready where the server does not know INFO', async () => {
    const server = await startRedis({ settings: { 'rename-command': ['INFO', ''] } });
    try {
      for (const policy of ['fail-fast', 'wait'] as const) {
        const redis = open(server.url, policy);
        const subscriber = redis.subscriber('feed');
        // Nothing is lost that was sent before the connection was ready.
        assert.equal(await redis.blocking('reader').incr('a'), 1, policy);
        assert.equal(await waitUntilReady(redis.store, 5_000), true, policy);
        assert.equal(await waitUntilReady(subscriber, 5_000), true, policy);
      }
    } finally {
      await server.stop();
    }
  });

  it('reports when it is ready', async () => {
    const ready: string[] = [];
    const redis = open(testRedisUrl(), 'wait', { onReady: (name) => ready.push(name) });
    assert.equal(redis.isReady(), false);
    assert.equal(await waitUntilReady(redis.store, 5_000), true);
    assert.equal(redis.isReady(), true);
    assert.ok(ready.includes('store'));
    assert.equal(await respondsWithin(redis.store, 5_000), true);
  });

  it('fails at once with the policy `fail-fast` during an outage', async () => {
    const redis = open(NOBODY, 'fail-fast');
    const reads = await Promise.allSettled([
      redis.store.get('a'),
      redis.store.get('b'),
      redis.store.eval('return 1', 0),
      redis.store.multi().set('a', '1').exec(),
      redis.queue.get('a'),
    ]);
    for (const read of reads) {
      assert.equal(read.status, 'rejected');
      if (read.status === 'rejected')
        assert.equal(isRedisUnavailable(read.reason), true, String(read.reason));
    }
    assert.equal(redis.isReady(), false);
    assert.equal(await waitUntilReady(redis.store, 1), false);
    assert.equal(await respondsWithin(redis.store, 1), false);
  });

  it('reports an outage once, not once per attempt', async () => {
    let outages = 0;
    let attempts = 0;
    const redis = open(NOBODY, 'wait', { onUnavailable: (name) => (outages += name === 'store' ? 1 : 0) });
    await new Promise<void>((resolve) => {
      redis.store.on('error', () => {
        if (++attempts === 3) resolve();
      });
    });
    assert.equal(outages, 1);
  });

  it('ends a command that waits for Redis when it is closed', async () => {
    const redis = open(NOBODY, 'wait');
    const waiting = assert.rejects(redis.store.get('a'), isRedisUnavailable);
    await redis.close();
    await waiting;
  });
});

describe('a Redis that hangs', () => {
  let gate: RedisGate;
  let redis: RedisConnections;

  beforeEach(async () => {
    gate = await openGate();
  });

  afterEach(async () => {
    await redis.close();
    await gate.close();
  });

  async function openThenHang(retryPolicy: RedisRetryPolicy) {
    redis = openRedis({ url: gate.url, cacheUrl: gate.url, keyPrefix: 'p:' }, retryPolicy);
    assert.equal(await waitUntilReady(redis.store, 5_000), true);
    gate.freeze();
  }

  it('counts as unavailable', async () => {
    await openThenHang('wait');
    assert.equal(await respondsWithin(redis.store, 20), false);
  });

  it('fails commands of the request path in time', async () => {
    await openThenHang('fail-fast');
    await assert.rejects(redis.store.get('a'), isRedisUnavailable);
  });

  it('fails commands in flight when the connection breaks', async () => {
    await openThenHang('fail-fast');
    const onTheirWay = Promise.allSettled([
      redis.store.get('a'),
      redis.store.eval('return 1', 0),
      redis.queue.get('a'),
    ]);
    // By now they are written; the store sends its reads together, a moment later.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    gate.shut();
    for (const command of await onTheirWay) {
      assert.ok(command.status === 'rejected' && isRedisUnavailable(command.reason));
    }
  });

  it('only delays a caller with the policy wait', async () => {
    await openThenHang('wait');
    const patient = redis.store.eval('return 7', 0);
    gate.shut();
    gate.reopen();
    assert.equal(await patient, 7);
  });
});
