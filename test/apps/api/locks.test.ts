import assert from 'node:assert/strict';
import type { RedisConnections } from '@gateway/store';
import { Locks } from '../../../apps/api/src/locks/locks.ts';
import { startRedis } from '../../../scripts/redis.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRedis, freshKeyPrefix, testRedisUrl } from '../../support/redis/test-redis.ts';

const forever = new AbortController().signal;

describe('the locks of the api processes', () => {
  const opened: RedisConnections[] = [];

  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  /** The locks of one process, with its own connection. */
  async function startProcess(
    keyPrefix: string,
    { url = testRedisUrl(), leaseMs = 60_000, unavailable = [] as unknown[] } = {},
  ) {
    const redis = await connectRedis({ url, keyPrefix, retryPolicy: 'fail-fast' });
    opened.push(redis);
    const onUnavailable = (error: unknown) => unavailable.push(error);
    return { redis, locks: new Locks(redis.store, { onUnavailable, leaseMs }), unavailable };
  }

  const queueLength = ({ store }: RedisConnections, key: string) => store.zcard(`{lock:${key}}:queue`);

  it('run tasks of several processes one after another, in their order', async () => {
    const prefix = freshKeyPrefix('locks');
    const [one, two, three] = [
      await startProcess(prefix),
      await startProcess(prefix),
      await startProcess(prefix),
    ];
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const all = [
      one.locks.run('a', forever, async () => {
        await first.promise;
        log.push('one');
      }),
    ];
    for (const [index, process] of [two, three].entries()) {
      await eventually(async () => (await queueLength(one.redis, 'a')) === index + 1);
      all.push(process.locks.run('a', forever, async () => void log.push(`waiting ${index}`)));
    }
    await eventually(async () => (await queueLength(one.redis, 'a')) === 3);
    await two.locks.run('b', forever, async () => void log.push('another key'));
    first.resolve();
    await Promise.all(all);

    assert.deepEqual(log, ['another key', 'one', 'waiting 0', 'waiting 1']);
    assert.equal(await queueLength(one.redis, 'a'), 0);
  });

  it('continue when a process has died', async () => {
    const prefix = freshKeyPrefix('locks');
    const [dying, waiting] = [
      await startProcess(prefix, { leaseMs: 300 }),
      await startProcess(prefix, { leaseMs: 300 }),
    ];
    const begun = Promise.withResolvers<void>();
    const unfinished = Promise.withResolvers<void>();
    const dead = dying.locks.run('a', forever, () => {
      begun.resolve();
      return unfinished.promise;
    });
    await begun.promise;
    await dying.redis.close();

    assert.equal(await waiting.locks.run('a', forever, async () => 'done'), 'done');

    unfinished.resolve();
    await dead;
  });

  it('hold a lock for as long as its process lives', async () => {
    const prefix = freshKeyPrefix('locks');
    const [slow, waiting] = [
      await startProcess(prefix, { leaseMs: 150 }),
      await startProcess(prefix, { leaseMs: 150 }),
    ];
    const first = Promise.withResolvers<void>();
    const running = slow.locks.run('a', forever, () => first.promise);
    await eventually(async () => (await queueLength(slow.redis, 'a')) === 1);
    const patience = AbortSignal.timeout(600);

    const impatient = waiting.locks.run('a', patience, () => assert.fail('runs beside another task'));

    await assert.rejects(impatient, (error) => error === patience.reason);
    assert.equal(await queueLength(slow.redis, 'a'), 1);
    first.resolve();
    await running;
  });

  it('run tasks without the store, and report it', async () => {
    const redis = await startRedis();
    const { locks, unavailable } = await startProcess(freshKeyPrefix('locks'), { url: redis.url });
    await redis.stop();

    assert.equal(await locks.run('a', forever, async () => 'done'), 'done');
    assert.ok(unavailable.length > 0);
  });
});
