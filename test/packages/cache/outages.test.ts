import assert from 'node:assert/strict';
import { type CachedBody, CacheKey, ListCache } from '@gateway/cache';
import { forbidden, unauthorized } from '@gateway/core';
import type { RedisConnections } from '@gateway/store';
import { cachedBody } from '../../support/cached-body.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRedis, freshKeyPrefix } from '../../support/redis/test-redis.ts';
import { openGate, type RedisGate } from '../store/redis-gate.ts';

const ttlSeconds = () => 60;

function textOf(content: CachedBody | null): unknown {
  return content && JSON.parse(content.body.toString());
}

describe('cached lists during and after an outage of Redis', () => {
  const opened: RedisConnections[] = [];
  const gates: RedisGate[] = [];
  const key = new CacheKey({ list: 'instances', projectId: 'p1' }, '');
  let prefix: string;

  beforeEach(() => {
    prefix = freshKeyPrefix('outages');
  });

  afterEach(async () => {
    for (const redis of opened.splice(0)) await redis.close();
    for (const gate of gates.splice(0)) await gate.close();
  });

  /** The cache of a process whose connections can be cut. */
  async function startProcess(unsharedSeconds = 3600) {
    const gate = await openGate();
    gates.push(gate);
    const redis = await connectRedis({ url: gate.url, keyPrefix: prefix, retryPolicy: 'fail-fast' });
    opened.push(redis);
    return {
      cache: new ListCache(redis.cache, { unsharedSeconds }),
      async lose() {
        gate.shut();
        await eventually(async () => redis.cache.status !== 'ready');
      },
      async regain() {
        gate.reopen();
        await eventually(async () => redis.cache.status === 'ready');
      },
    };
  }

  /** Loads that the test completes. */
  function heldLoads() {
    const loads: PromiseWithResolvers<unknown>[] = [];
    const began: (() => void)[] = [];
    return {
      loads,
      load() {
        const { promise, ...settle } = Promise.withResolvers<unknown>();
        loads.push({ promise, ...settle });
        for (const resolve of began.splice(0)) resolve();
        return promise;
      },
      async waitForLoad(count: number) {
        while (loads.length < count) await new Promise<void>((resolve) => began.push(resolve));
      },
    };
  }

  it('makes one load for 200 readers, and compresses it once', async () => {
    const { cache, lose } = await startProcess();
    await lose();
    const { load, loads, waitForLoad } = heldLoads();
    const readers = Array.from({ length: 200 }, (_, reader) =>
      cache.getOrLoad(key, {
        ttlSeconds,
        load,
        accepted: { encoding: reader % 2 === 0 ? 'gzip' : null, allowsPlain: true },
      }),
    );
    await waitForLoad(1);
    loads[0]?.resolve(['a'.repeat(5_000)]);
    const [zipped, plain] = await Promise.all(readers);

    assert.equal(loads.length, 1);
    assert.deepEqual([zipped?.encoding, plain?.encoding], ['gzip', null]);
    assert.equal((await readers[2])?.body, zipped?.body);
  });

  it('keeps a result for later readers, but not for a refresh', async () => {
    const { cache, lose } = await startProcess();
    await lose();
    let loads = 0;
    const load = async () => ++loads;

    const read = (refresh = false) => cache.getOrLoad(key, { ttlSeconds, load, refresh });

    assert.deepEqual([textOf(await read()), textOf(await read()), textOf(await read(true))], [1, 1, 2]);
    assert.equal(textOf(await read()), 2);
  });

  it('keeps no result for longer than configured, nor than the list lives', async () => {
    for (const [seconds, life] of [
      [0, 60],
      [60, 0],
    ] as const) {
      const { cache, lose } = await startProcess(seconds);
      await lose();
      let loads = 0;
      const options = { ttlSeconds: () => life, load: async () => ++loads };
      await cache.getOrLoad(key, options);

      assert.equal(textOf(await cache.getOrLoad(key, options)), 2);
    }
  });

  it('shows a write of the same process to all later readers', async () => {
    const { cache, lose } = await startProcess();
    await lose();
    const { load, loads, waitForLoad } = heldLoads();
    const options = { ttlSeconds, load };
    const early = cache.getOrLoad(key, options);
    await waitForLoad(1);
    await cache.drop(key);
    const late = cache.getOrLoad(key, options);
    await waitForLoad(2);
    loads[1]?.resolve('after');
    assert.equal(textOf(await late), 'after');
    loads[0]?.resolve('before');
    assert.equal(textOf(await early), 'before');
    assert.equal(textOf(await cache.getOrLoad(key, options)), 'after');

    await cache.drop(key);
    const last = cache.getOrLoad(key, options);
    await waitForLoad(3);
    loads[2]?.resolve('last');
    assert.equal(textOf(await last), 'last');
  });

  it('uses nothing from before the outage, because other processes write', async () => {
    const [first, second] = [await startProcess(), await startProcess()];
    await first.cache.getOrLoad(key, { ttlSeconds, load: async () => 'before' });
    await cachedBody(second.cache, key);
    await first.lose();
    await second.lose();
    // The process that made the write cannot invalidate others, and never recovers.
    await first.cache.drop(key);
    await second.regain();

    assert.equal(await cachedBody(second.cache, key), null);
    const read = () => second.cache.getOrLoad(key, { ttlSeconds, load: async () => 'after' });
    assert.equal(textOf(await read()), 'after');
    assert.equal(textOf(await cachedBody(second.cache, key)), 'after');
  });

  it('does not last until the time of a clock that was ahead', async () => {
    const rightNow = Date.now;
    const [ahead, other] = [await startProcess(), await startProcess()];
    try {
      Date.now = () => rightNow() + 9 * 3_600_000;
      await ahead.cache.getOrLoad(key, { ttlSeconds, load: async () => 'before' });
      await ahead.lose();
      await ahead.regain();
    } finally {
      Date.now = rightNow;
    }
    assert.ok(await cachedBody(other.cache, key));

    assert.equal(await cachedBody(ahead.cache, key), null);
    await ahead.cache.getOrLoad(key, { ttlSeconds, load: async () => 'after' });
    assert.equal(textOf(await cachedBody(ahead.cache, key)), 'after');
  });

  it('repeats a drop that failed, for processes that saw no outage', async () => {
    const [first, second] = [await startProcess(), await startProcess()];
    await first.cache.getOrLoad(key, { ttlSeconds, load: async () => 'before' });
    await first.lose();
    await first.cache.drop(key);
    assert.equal(textOf(await cachedBody(second.cache, key)), 'before');

    await first.regain();

    await eventually(async () => (await cachedBody(second.cache, key)) === null);
  });

  it('keeps whether a list is complete, in all its forms', async () => {
    const [first, second] = [await startProcess(), await startProcess()];
    const options = { ttlSeconds, load: async () => 'a'.repeat(5_000), isComplete: () => false };
    const accepted = { encoding: 'gzip', allowsPlain: true } as const;
    const made = [
      await first.cache.getOrLoad(key, options),
      await first.cache.getOrLoad(key, { ...options, accepted }),
      await cachedBody(second.cache, key),
    ];
    await first.lose();
    made.push(await first.cache.getOrLoad(key, { ...options, accepted }));

    assert.deepEqual(
      made.map((content) => content?.isComplete),
      [false, false, false, false],
    );
  });

  for (const [where, begin] of [
    ['with Redis', async () => {}],
    ['without Redis', async (process: { lose(): Promise<void> }) => process.lose()],
  ] as const) {
    it(`returns a reader's refusal to no other reader, ${where}`, async () => {
      const process = await startProcess();
      await begin(process);
      const { load, loads, waitForLoad } = heldLoads();
      const refused = process.cache.getOrLoad(key, { ttlSeconds, load });
      await waitForLoad(1);
      const joined = Promise.allSettled(
        Array.from({ length: 20 }, () => process.cache.getOrLoad(key, { ttlSeconds, load })),
      );
      loads[0]?.reject(unauthorized('The token is invalid.'));
      await assert.rejects(refused, { status: 401 });
      await waitForLoad(2);
      loads[1]?.reject(forbidden('Not this one either.'));
      await waitForLoad(3);
      loads[2]?.resolve('read');

      const results = await joined;
      assert.equal(loads.length, 3);
      const [own, ...others] = results.filter(({ status }) => status === 'rejected');
      assert.equal((own as PromiseRejectedResult).reason.status, 403);
      assert.equal(others.length, 0);
    });
  }

  it("returns a reader's refusal to no reader in another process", async () => {
    const [first, second] = [await startProcess(), await startProcess()];
    const { load, loads, waitForLoad } = heldLoads();
    const refused = first.cache.getOrLoad(key, { ttlSeconds, load });
    await waitForLoad(1);
    const waiting = second.cache.getOrLoad(key, { ttlSeconds, load: async () => 'read' });
    loads[0]?.reject(unauthorized('The token is invalid.'));

    await assert.rejects(refused, { status: 401 });
    assert.equal(textOf(await waiting), 'read');
  });
});
