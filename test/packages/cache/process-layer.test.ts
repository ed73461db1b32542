import assert from 'node:assert/strict';
import { type CachedBody, CacheKey, ListCache } from '@gateway/cache';
import type { RedisConnections } from '@gateway/store';
import { cachedBody } from '../../support/cached-body.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRedis } from '../../support/redis/test-redis.ts';

const ttlSeconds = () => 60;

function textOf(content: CachedBody | null): unknown {
  return content === null ? null : JSON.parse(content.body.toString());
}

/** The reads that a connection sends, and a way to hold them back. */
interface Commands {
  reads: ('versions' | 'entry')[];
  /** Versions that are read from now on arrive when the returned function is called. */
  hold(): () => void;
}

describe('the lists that a process holds', () => {
  const key = new CacheKey({ list: 'instances', projectId: 'p1' }, '');
  let redis: RedisConnections;
  let cache: ListCache;
  /** A process that holds nothing. */
  let other: ListCache;
  let outcomes: string[];
  let commands: Commands;

  beforeEach(async () => {
    redis = await connectRedis({ retryPolicy: 'fail-fast' });
    outcomes = [];
    cache = holding(100_000);
    other = new ListCache(redis.cache);
    commands = watchCommands();
  });

  afterEach(() => redis.close());

  function holding(processBytes: number): ListCache {
    return new ListCache(redis.cache, { processBytes, onRead: (_list, outcome) => outcomes.push(outcome) });
  }

  function watchCommands(): Commands {
    const reads: Commands['reads'] = [];
    let held: Promise<void> | undefined;
    const client = redis.cache as unknown as { mgetBuffer(...keys: string[]): Promise<unknown> };
    const original = client.mgetBuffer.bind(client);
    client.mgetBuffer = async (...keys) => {
      const kind = keys.flat().every((stored) => /:(version|generation)$/.test(stored))
        ? 'versions'
        : 'entry';
      reads.push(kind);
      const reply = original(...keys);
      if (kind === 'versions') await held;
      return reply;
    };
    return {
      reads,
      hold() {
        const { promise, resolve } = Promise.withResolvers<void>();
        held = promise;
        return () => {
          held = undefined;
          resolve();
        };
      },
    };
  }

  const store = (response: unknown, at = key) =>
    other.getOrLoad(at, { ttlSeconds, load: async () => response, refresh: true });

  it('are read from the shared cache once, then compared by version', async () => {
    const stored = await store('listed');

    const reads = [await cachedBody(cache, key), await cachedBody(cache, key), await cachedBody(cache, key)];

    assert.deepEqual(outcomes, ['shared_hit', 'process_hit', 'process_hit']);
    for (const read of reads) assert.deepEqual(read, stored);
    assert.deepEqual(commands.reads.slice(-3), ['entry', 'versions', 'versions']);
  });

  it('include those that the process has loaded itself', async () => {
    await cache.getOrLoad(key, { ttlSeconds, load: async () => 'loaded' });

    const again = await cache.getOrLoad(key, { ttlSeconds, load: () => assert.fail('loads again') });

    assert.equal(textOf(again), 'loaded');
    assert.deepEqual(outcomes, ['miss', 'process_hit']);
  });

  it('are not used after a drop, a refresh or their lifetime', async () => {
    const expire = () => redis.cache.del(key.entry, key.version);
    const changes: [change: () => Promise<unknown>, expected: unknown][] = [
      [() => other.drop(key), null],
      [() => store('refreshed'), 'refreshed'],
      [expire, null],
      [() => redis.cache.del(key.generation), null],
    ];
    for (const [change, expected] of changes) {
      await store('first');
      await cachedBody(cache, key);
      assert.equal(textOf(await cachedBody(cache, key)), 'first');
      assert.equal(outcomes.at(-1), 'process_hit');
      await change();
      assert.equal(textOf(await cachedBody(cache, key)), expected);
    }
  });

  it('have the lifetime of the shared entry', async () => {
    await store('listed');

    const left = await redis.cache.pttl(key.version);

    assert.ok(left > 58_000 && left <= 60_000, `${left} ms`);
  });

  it('share the reads of their versions unless already sent', async () => {
    const otherKey = new CacheKey(key, ':roles=admin');
    for (const each of [key, otherKey]) {
      await store('first', each);
      await cachedBody(cache, each);
    }
    commands.reads.length = 0;
    const release = commands.hold();
    const early = cachedBody(cache, key);
    while (commands.reads.length === 0) await new Promise(setImmediate);
    assert.deepEqual(commands.reads, ['versions']);

    await store('second');
    const late = [...Array(20).fill(key), otherKey].map((each: CacheKey) => cachedBody(cache, each));
    release();

    assert.equal(textOf(await early), 'first');
    const texts = (await Promise.all(late)).map(textOf);
    assert.deepEqual(texts, [...Array(20).fill('second'), 'first']);
    const ofVersions = commands.reads.filter((read) => read === 'versions');
    assert.equal(ofVersions.length, 2, 'one command for all later reads');
  });

  it('stay within their bytes, and evict the least recently used', async () => {
    const keys = ['a', 'b', 'c'].map((variant) => new CacheKey(key, variant));
    const [a, b, c] = keys as [CacheKey, CacheKey, CacheKey];
    const small = holding(25_000);
    for (const each of keys) await store('x'.repeat(10_000), each);
    for (const each of [a, b, a, c]) await cachedBody(small, each);
    outcomes.length = 0;

    for (const each of [a, c, b]) await cachedBody(small, each);

    assert.deepEqual(outcomes, ['process_hit', 'process_hit', 'shared_hit']);
  });

  it('take the encoding that a reader accepts, and other forms when needed', async () => {
    const accepted = { encoding: 'gzip', allowsPlain: true } as const;
    const load = () => assert.fail('loads again');
    const stored = await store('x'.repeat(10_000));
    const zipped = await other.getOrLoad(key, { ttlSeconds, load, accepted });
    await eventually(async () => (await redis.cache.exists(`${key.entry}:gzip`)) === 1);

    const reads = [
      await cache.getOrLoad(key, { ttlSeconds, load, accepted }),
      await cache.getOrLoad(key, { ttlSeconds, load, accepted }),
      await cachedBody(cache, key),
      await cachedBody(cache, key),
      await cache.getOrLoad(key, { ttlSeconds, load, accepted }),
    ];

    assert.deepEqual(reads, [zipped, zipped, stored, stored, zipped]);
    assert.deepEqual(outcomes, ['shared_hit', 'process_hit', 'shared_hit', 'process_hit', 'process_hit']);
  });

  it('stay in memory however many selections of their rows are read', async () => {
    const rows = Array.from({ length: 40 }, (_, number) => ({
      id: `row-${number}`,
      text: 'x'.repeat(1_000),
    }));
    await store(rows);
    const rowFields = { id: 'id', paths: [] };
    const select = async (limit: number) => {
      const selection = { key: `${limit}`, rowFields, filters: [], sort: [], limit };
      const load = () => assert.fail('loads again');
      const { body } = await cache.getOrLoad(key, { ttlSeconds, load, selection });
      assert.equal(JSON.parse(body.toString()).length, limit);
    };
    await cachedBody(cache, key);
    outcomes.length = 0;

    for (let limit = 1; limit <= 40; limit += 1) await select(limit);
    await select(40);

    assert.deepEqual(new Set(outcomes), new Set(['process_hit']));
  });

  it('exclude a list that is too large', async () => {
    await store('x'.repeat(200_000));

    await cachedBody(cache, key);
    await cachedBody(cache, key);

    assert.deepEqual(outcomes, ['shared_hit', 'shared_hit']);
  });

  it('keep nothing else in memory that arrived with them', async () => {
    await store('listed');
    await cachedBody(cache, key);

    const held = await cachedBody(cache, key);

    assert.equal(held?.body.buffer.byteLength, held?.body.length);
  });

  it('are not used while Redis is unavailable', async () => {
    await store('listed');
    await cachedBody(cache, key);
    await redis.close();

    assert.equal(await cachedBody(cache, key), null);
    const loaded = await cache.getOrLoad(key, { ttlSeconds, load: async () => 'from the cloud' });

    assert.equal(textOf(loaded), 'from the cloud');
  });
});
