import assert from 'node:assert/strict';
import { type CachedBody, CacheKey, ListCache, lockKey, serialize } from '@gateway/cache';
import { openRedis, type RedisConnections } from '@gateway/store';
import { cachedBody } from '../../support/cached-body.ts';
import { connectRedis, freshKeyPrefix, testRedisUrl } from '../../support/redis/test-redis.ts';
import { openGate } from '../store/redis-gate.ts';

const ttlSeconds = () => 60;

function textOf(content: CachedBody | null): unknown {
  return content && JSON.parse(content.body.toString());
}

/** A promise with its `resolve` and `reject`. */
function gateFor<T>() {
  return Promise.withResolvers<T>();
}

describe('ListCache', () => {
  const opened: RedisConnections[] = [];
  const key = new CacheKey({ list: 'instances', projectId: 'p1' }, '');
  let prefix: string;
  let cache: ListCache;
  /** A cache with its own connection, as in another process. */
  let other: ListCache;
  let reads: string[];

  async function connect(url = testRedisUrl()): Promise<RedisConnections> {
    const redis = await connectRedis({ url, keyPrefix: prefix, retryPolicy: 'fail-fast' });
    opened.push(redis);
    return redis;
  }

  beforeEach(async () => {
    prefix = freshKeyPrefix('cache');
    reads = [];
    const [mine, theirs] = [await connect(), await connect()];
    cache = new ListCache(mine.cache, { onRead: (list, outcome) => reads.push(`${list} ${outcome}`) });
    other = new ListCache(theirs.cache);
  });

  afterEach(async () => {
    for (const redis of opened.splice(0)) await redis.close();
  });

  function redis() {
    const [first] = opened;
    assert.ok(first);
    return first.cache;
  }

  /** Counts the reads that are sent to Redis from now on. */
  function readsSent(): () => number {
    const client = redis() as unknown as Record<string, (...args: unknown[]) => unknown>;
    let count = 0;
    const original = client.mgetBuffer?.bind(client);
    assert.ok(original);
    client.mgetBuffer = (...args) => {
      count += 1;
      return original(...args);
    };
    return () => count;
  }

  it('loads a missing entry, and returns it afterwards without loading', async () => {
    let loads = 0;
    const load = async () => [{ id: ++loads }];
    const first = await cache.getOrLoad(key, { ttlSeconds, load });
    const again = await cache.getOrLoad(key, { ttlSeconds, load });
    const elsewhere = await cachedBody(other, key);
    assert.deepEqual(textOf(first), [{ id: 1 }]);
    assert.deepEqual([again, elsewhere], [first, first]);
    assert.equal(loads, 1);
    assert.deepEqual(reads, ['instances miss', 'instances shared_hit']);
  });

  it('keeps bytes and entity tag unchanged, with a tag from the content', async () => {
    const answer = [{ name: 'Ünïcode 🔑', size: 1 }];
    const stored = await cache.getOrLoad(key, { ttlSeconds, load: async () => answer });
    const read = await cachedBody(other, key);
    assert.deepEqual(read, stored);
    assert.deepEqual(await serialize(answer), stored);
    assert.match(stored.etag, /^"[\w-]{22}"$/);
    assert.notEqual((await serialize([{ name: 'other' }])).etag, stored.etag);
  });

  it('drops an entry after its lifetime', async () => {
    await cache.getOrLoad(key, { ttlSeconds: () => 7, load: async () => [] });
    const left = await redis().ttl(key.entry);
    assert.ok(left > 0 && left <= 7, `${left} s`);
  });

  it('stores nothing in Redis without an expiry', async () => {
    await cache.getOrLoad(key, { ttlSeconds, load: async () => [] });
    await cache.drop(key);
    await cache.getOrLoad(key, { ttlSeconds, load: async () => [] });
    const [bare] = opened;
    const keys = (await bare?.queue.keys(`${prefix}*`)) ?? [];
    assert.ok(keys.length >= 2);
    for (const name of keys) assert.ok(((await bare?.queue.ttl(name)) ?? -1) > 0, name);
  });

  it('separates projects, lists and variants, and drops all variants at once', async () => {
    const keys: CacheKey[] = [
      key,
      new CacheKey({ ...key, projectId: 'p2' }, ''),
      new CacheKey({ ...key, list: 'images' }, ''),
      new CacheKey(key, ':roles=admin'),
      new CacheKey(key, ':roles=member'),
    ];
    for (const [index, each] of keys.entries()) {
      await cache.getOrLoad(each, { ttlSeconds, load: async () => index });
    }
    for (const [index, each] of keys.entries()) {
      assert.equal(textOf(await cachedBody(cache, each)), index);
    }
    await cache.drop(key);
    const left = await Promise.all(keys.map(async (each) => (await cachedBody(cache, each)) !== null));
    assert.deepEqual(left, [false, true, true, false, false]);
  });

  it('sends one command for all readers of an event loop iteration', async () => {
    await cache.getOrLoad(key, { ttlSeconds, load: async () => 'stored' });
    const sent = readsSent();
    const readers = Array.from({ length: 50 }, () => cachedBody(cache, key));
    const contents = await Promise.all(readers);
    assert.ok(contents.every((content) => content !== null && textOf(content) === 'stored'));
    assert.equal(sent(), 1);
    await cachedBody(cache, key);
    assert.equal(sent(), 2);
  });

  it('does not share a command that was sent before a drop', async () => {
    await cache.getOrLoad(key, { ttlSeconds, load: async () => 'before' });
    const early = cachedBody(cache, key);
    await other.drop(key);
    assert.equal(await cachedBody(cache, key), null);
    await early;
  });

  it('loads once for 200 concurrent readers in one process', async () => {
    let loads = 0;
    const started = gateFor<void>();
    const answer = gateFor<string[]>();
    const load = () => {
      loads++;
      started.resolve();
      return answer.promise;
    };
    const readers = Array.from({ length: 200 }, () => cache.getOrLoad(key, { ttlSeconds, load }));
    await started.promise;
    answer.resolve(['a']);
    for (const body of await Promise.all(readers)) assert.deepEqual(textOf(body), ['a']);
    assert.equal(loads, 1);
  });

  it('loads once for 200 concurrent readers in two processes', async () => {
    let loads = 0;
    const started = gateFor<void>();
    const answer = gateFor<string[]>();
    const load = () => {
      loads++;
      started.resolve();
      return answer.promise;
    };
    const readers = Array.from({ length: 200 }, (_, index) =>
      (index % 2 === 0 ? cache : other).getOrLoad(key, { ttlSeconds, load }),
    );
    await started.promise;
    answer.resolve(['a']);
    for (const body of await Promise.all(readers)) assert.deepEqual(textOf(body), ['a']);
    assert.equal(loads, 1);
  });

  it('neither stores a read from before a drop nor returns it afterwards', async () => {
    for (const later of [cache, other]) {
      const old = gateFor<string>();
      const began = gateFor<void>();
      const early = cache.getOrLoad(key, {
        ttlSeconds,
        load: () => {
          began.resolve();
          return old.promise;
        },
      });
      await began.promise;
      await other.drop(key);
      const late = await later.getOrLoad(key, { ttlSeconds, load: async () => 'after' });
      assert.equal(textOf(late), 'after');
      old.resolve('before');
      assert.equal(textOf(await early), 'before');
      assert.equal(textOf(await cachedBody(cache, key)), 'after');
      await cache.drop(key);
    }
  });

  it('does not store a read from before a drop without later readers', async () => {
    const old = gateFor<string>();
    const began = gateFor<void>();
    const early = cache.getOrLoad(key, {
      ttlSeconds,
      load: () => {
        began.resolve();
        return old.promise;
      },
    });
    await began.promise;
    await cache.drop(key);
    old.resolve('before');
    await early;
    assert.equal(await cachedBody(cache, key), null);
  });

  it('drops several lists at once', async () => {
    const images = new CacheKey({ ...key, list: 'images' }, '');
    for (const each of [key, images]) await cache.getOrLoad(each, { ttlSeconds, load: async () => 1 });
    await other.drop(key, images);
    assert.deepEqual(await Promise.all([cachedBody(cache, key), cachedBody(cache, images)]), [null, null]);
  });

  it('lets a reader in another process load when the first load fails', async () => {
    const failing = gateFor<never>();
    const began = gateFor<void>();
    const first = cache.getOrLoad(key, {
      ttlSeconds,
      load: () => {
        began.resolve();
        return failing.promise;
      },
    });
    await began.promise;
    const second = other.getOrLoad(key, { ttlSeconds, load: async () => 'taken over' });
    failing.reject(new Error('the cloud said no'));
    await assert.rejects(first, /the cloud said no/);
    assert.equal(textOf(await second), 'taken over');
    assert.equal(textOf(await cachedBody(cache, key)), 'taken over');
  });

  it('calls a failing cloud once for 200 readers', async () => {
    let loads = 0;
    const began = gateFor<void>();
    const failing = gateFor<never>();
    const load = () => {
      loads++;
      began.resolve();
      return failing.promise;
    };
    const readers = Promise.allSettled(
      Array.from({ length: 200 }, () => cache.getOrLoad(key, { ttlSeconds, load })),
    );
    await began.promise;
    failing.reject(new Error('the cloud said no'));
    for (const reader of await readers) assert.equal(reader.status, 'rejected');
    assert.equal(loads, 1);
  });

  it('stores no failure: the next reader loads again', async () => {
    await assert.rejects(cache.getOrLoad(key, { ttlSeconds, load: () => Promise.reject(new Error('no')) }));
    const next = await cache.getOrLoad(key, { ttlSeconds, load: async () => 'yes' });
    assert.equal(textOf(next), 'yes');
  });

  it('waits for a dead process only as long as its lock', async () => {
    await cache.drop(key);
    const generation = await redis().get(key.generation);
    await redis().set(lockKey(key, generation ?? ''), 'dead', 'PX', 60);
    const body = await other.getOrLoad(key, { ttlSeconds, load: async () => 'alive' });
    assert.equal(textOf(body), 'alive');
  });

  it('loads on refresh despite a valid entry, and stores the result', async () => {
    await cache.getOrLoad(key, { ttlSeconds, load: async () => 'old' });
    const fresh = await cache.getOrLoad(key, { ttlSeconds, load: async () => 'new', refresh: true });
    assert.equal(textOf(fresh), 'new');
    assert.equal(textOf(await cachedBody(other, key)), 'new');
  });

  it('makes one load of many concurrent refreshes, in two processes', async () => {
    await cache.getOrLoad(key, { ttlSeconds, load: async () => 'old' });
    let loads = 0;
    const started = gateFor<void>();
    const answer = gateFor<string>();
    const load = () => {
      loads++;
      started.resolve();
      return answer.promise;
    };
    const refreshes = Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? cache : other).getOrLoad(key, { ttlSeconds, load, refresh: true }),
    );
    await started.promise;
    assert.equal(textOf(await cachedBody(cache, key)), 'old', 'who does not refresh need not wait');
    answer.resolve('new');
    for (const body of await Promise.all(refreshes)) assert.equal(textOf(body), 'new');
    assert.equal(loads, 1);
  });

  it('keeps a response for the requested time, and never for 0 seconds', async () => {
    const options = {
      ttlSeconds: (answer: unknown) => (answer === 'passing' ? 3 : 0),
      load: async (): Promise<string> => 'passing',
    };
    await cache.getOrLoad(key, options);
    const left = await redis().ttl(key.entry);
    assert.ok(left > 0 && left <= 3, `${left} s`);
    await cache.drop(key);
    await cache.getOrLoad(key, { ...options, load: async () => 'not kept' });
    assert.equal(await cachedBody(cache, key), null);
  });

  it('does not use an entry whose generation Redis has evicted', async () => {
    await cache.getOrLoad(key, { ttlSeconds, load: async () => 'old' });
    await redis().del(key.generation);
    assert.equal(await cachedBody(cache, key), null);
    assert.equal(textOf(await cache.getOrLoad(key, { ttlSeconds, load: async () => 'new' })), 'new');
  });

  describe('without its Redis', () => {
    for (const how of ['shut', 'freeze'] as const) {
      it(`returns loaded responses without an error (${how === 'shut' ? 'refused' : 'hanging'})`, async () => {
        const gate = await openGate();
        try {
          const connection = (await connect(gate.url)).cache;
          let outages = 0;
          const unavailable = new ListCache(connection, { onUnavailable: () => outages++ });
          gate[how]();
          let loads = 0;
          const body = await unavailable.getOrLoad(key, { ttlSeconds, load: async () => ++loads });
          assert.equal(textOf(body), 1);
          assert.equal(outages, 1);
          if (how === 'shut') {
            assert.equal(await cachedBody(unavailable, key), null);
            await unavailable.drop(key);
            assert.equal(outages, 3);
            assert.equal(
              textOf(await unavailable.getOrLoad(key, { ttlSeconds, load: async () => ++loads })),
              2,
            );
          }
        } finally {
          await gate.close();
        }
      });
    }

    it('returns the loaded response if Redis fails meanwhile', async () => {
      const gate = await openGate();
      try {
        const connection = (await connect(gate.url)).cache;
        const body = await new ListCache(connection).getOrLoad(key, {
          ttlSeconds,
          load: async () => {
            gate.shut();
            return 'loaded';
          },
        });
        assert.equal(textOf(body), 'loaded');
      } finally {
        await gate.close();
      }
    });

    it('still throws the error of the load', async () => {
      const url = 'redis://127.0.0.1:1';
      const redis = openRedis({ url, cacheUrl: url, keyPrefix: prefix }, 'fail-fast');
      opened.push(redis);
      const unavailable = new ListCache(redis.cache);
      const load = () => Promise.reject(new Error('the cloud said no'));
      await assert.rejects(unavailable.getOrLoad(key, { ttlSeconds, load }), /the cloud said no/);
    });
  });
});
