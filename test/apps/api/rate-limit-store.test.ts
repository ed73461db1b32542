import assert from 'node:assert/strict';
import { createLogger } from '@gateway/platform';
import type { Redis, RedisConnections } from '@gateway/store';
import type { Options } from 'express-rate-limit';
import { RedisOrMemoryStore } from '../../../apps/api/src/http/limits/redis-or-memory-store.ts';
import { captureLogLines, type LogLines } from '../../support/api/log-lines.ts';
import { createRedisUser } from '../../support/redis/redis-user.ts';
import { connectRedis, freshKeyPrefix, testRedisUrl } from '../../support/redis/test-redis.ts';

describe('a rate limit counter', () => {
  let redis: RedisConnections;
  let counts: RedisOrMemoryStore;
  let keyPrefix: string;
  let log: LogLines;

  beforeEach(async () => {
    keyPrefix = freshKeyPrefix('limit');
    log = captureLogLines();
    redis = await connectRedis({ keyPrefix });
    counts = storeOf(redis.store);
  });

  afterEach(() => redis.close());

  function storeOf(store: Redis): RedisOrMemoryStore {
    const logger = createLogger({ level: 'warn', format: 'json', service: 'api' }, log.stream);
    const created = new RedisOrMemoryStore({ redis: store, logger, name: 'login' });
    created.init({ windowMs: 60_000 } as Options);
    return created;
  }

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

  it('is that of all processes where SCRIPT is forbidden', async () => {
    const server = { url: testRedisUrl(), port: Number(new URL(testRedisUrl()).port) };
    const url = await createRedisUser(server, 'no-script', ['~*', '&*', '+@all', '-script']);
    const connect = () => connectRedis({ url, keyPrefix });
    const processes = [await connect(), await connect()];
    try {
      const totals: number[] = [];
      for (const { store } of processes) totals.push((await storeOf(store).increment('demo')).totalHits);
      assert.deepEqual(totals, [1, 2]);
    } finally {
      await Promise.all(processes.map((opened) => opened.close()));
    }
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
    const fallback = storeOf({ status: 'ready', eval: refused } as unknown as Redis);

    await fallback.increment('demo');
    const { totalHits } = await fallback.increment('demo');
    await new Promise((resolve) => setImmediate(resolve));

    process.off('unhandledRejection', note);
    assert.deepEqual([totalHits, escaped], [2, []]);
    assert.deepEqual(
      log.withMessage('A rate limit counts in this process alone').map(({ limit }) => limit),
      ['login'],
    );
  });

  it('does not become negative', async () => {
    await counts.increment('demo');
    await counts.decrement('demo');
    await counts.decrement('demo');

    assert.equal((await counts.increment('demo')).totalHits, 1);
  });
});
