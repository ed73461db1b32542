import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  defineScript,
  isRedisUnavailable,
  openRedis,
  type RedisConnections,
  type RedisRetryPolicy,
  replicatedWrite,
  respondsWithin,
  waitUntilReady,
} from '@gateway/store';
import { eventually } from '../../support/eventually.ts';
import { queryRedis } from '../../support/redis/query-redis.ts';
import { type RedisCluster, startRedisCluster } from '../../support/redis/redis-cluster.ts';

/** Enough keys for every primary to hold some. */
const KEYS = Array.from({ length: 30 }, (_, index) => `key-${index}`);
const JOBS_KEY = '{jobs}:a';

describe('a Redis Cluster that does not know INFO', function () {
  this.timeout(120_000);

  it('accepts commands of both policies, and has subscribers', async () => {
    const cluster = await startRedisCluster({ 'rename-command': ['INFO', ''] });
    const url = 'redis://by.nodes';
    const settings = { url, cacheUrl: url, keyPrefix: 'p:', clusterNodes: cluster.nodes };
    try {
      for (const policy of ['wait', 'fail-fast'] as const) {
        const redis = openRedis(settings, policy);
        try {
          assert.equal(await waitUntilReady(redis.store, 10_000), true, policy);
          assert.equal(await waitUntilReady(redis.subscriber('feed'), 10_000), true, policy);
          await Promise.all(KEYS.map((key) => redis.store.set(key, policy)));
        } finally {
          await redis.close();
        }
      }
    } finally {
      await cluster.stop();
    }
  });
});

describe('a Redis Cluster', function () {
  this.timeout(120_000);
  let cluster: RedisCluster;
  const opened: RedisConnections[] = [];

  before(async () => {
    cluster = await startRedisCluster();
  });

  after(() => cluster?.stop());

  afterEach(async () => {
    for (const redis of opened.splice(0)) await redis.close();
  });

  /** Whether replicas have acknowledged the latest replicated write. A busy machine can make them late. */
  let isAcknowledged = true;

  async function open(retryPolicy: RedisRetryPolicy, nodes = cluster.nodes): Promise<RedisConnections> {
    const url = 'redis://by.nodes';
    isAcknowledged = true;
    const redis = openRedis(
      { url, cacheUrl: url, keyPrefix: 'p:', clusterNodes: nodes, waitForReplicas: 1 },
      retryPolicy,
      {
        onUnacknowledged: () => {
          isAcknowledged = false;
        },
        onAcknowledged: () => {
          isAcknowledged = true;
        },
      },
    );
    opened.push(redis);
    assert.equal(await waitUntilReady(redis.store, 5_000), true);
    return redis;
  }

  for (const retryPolicy of ['wait', 'fail-fast'] as const) {
    it(`accepts all roles' commands with policy ${retryPolicy}, discovered from one node`, async () => {
      const { store, queue, blocking, isReady } = await open(retryPolicy, cluster.nodes.slice(0, 1));

      await Promise.all(KEYS.map((key) => store.set(key, key)));
      assert.deepEqual(await Promise.all(KEYS.map((key) => store.get(key))), KEYS);
      await store.multi().set('{one}:a', '1').expire('{one}:b', 5).exec();
      assert.equal(await store.eval('return redis.call("INCR", KEYS[1])', 1, '{one}:a'), 2);
      await waitUntilReady(queue, 5_000);
      assert.equal(await queue.get('p:{one}:a'), '2');
      await store.xadd('feed', '*', 'a', '1');
      const [stream] = (await blocking('reader').xread('BLOCK', 1_000, 'STREAMS', 'feed', '0')) ?? [];
      assert.deepEqual(stream?.[1][0]?.[1], ['a', '1']);
      assert.equal(isReady(), true);
      assert.equal(await respondsWithin(store, 1_000), true);
    });
  }

  it('runs a script with long arguments where its key is', async () => {
    const { store } = await open('fail-fast');
    const script = defineScript({
      name: 'store',
      keys: ['key'],
      args: ['bytes'],
      hasLongArgs: true,
      lua: `return redis.call('SET', key, bytes)`,
    });
    const bytes = Buffer.alloc(10_000, 7);

    await Promise.all(KEYS.map((key) => script.run(store, { key: `bytes-${key}` }, { bytes })));

    const stored = await Promise.all(KEYS.map((key) => store.getBuffer(`bytes-${key}`)));
    assert.ok(stored.every((value) => value?.equals(bytes)));
  });

  it('delivers published messages from every node', async () => {
    const { store, subscriber } = await open('fail-fast');
    const listener = subscriber('listener');
    const heard: string[] = [];
    listener.on('message', (_channel, text) => heard.push(text));
    await listener.subscribe('news');

    for (const { port } of cluster.primaries) {
      await queryRedis(port, (redis) => redis.publish('news', String(port)));
    }
    await store.publish('news', 'end');

    await eventually(async () => heard.length === 4);
    assert.deepEqual(
      heard.toSorted(),
      [...cluster.primaries.map(({ port }) => String(port)), 'end'].toSorted(),
    );
  });

  it('waits for replicas at the node that holds the written key', async () => {
    const { store } = await open('wait');

    const written = await eventually(async () => {
      const count = await replicatedWrite(store, JOBS_KEY, (write) => write.incr(JOBS_KEY));
      return isAcknowledged ? count : undefined;
    });

    const { port } = cluster.replica;
    assert.equal(
      await queryRedis(port, async (redis) => {
        await redis.readonly();
        return redis.get(`p:${JOBS_KEY}`);
      }),
      String(written),
    );
  });

  // Runs last, because it stops a node.
  it('loses no write when a primary dies: waiting commands continue', async () => {
    const [patient, hasty] = [await open('wait'), await open('fail-fast')];
    const errors: string[] = [];
    const failing = (async () => {
      for (;;) {
        try {
          await hasty.store.get(JOBS_KEY);
          if (errors.length > 0) return;
        } catch (error) {
          assert.equal(isRedisUnavailable(error), true, String(error));
          errors.push(String(error));
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const before = Number(await patient.store.get(JOBS_KEY));
    // What was written without a wait for replicas, or without their acknowledgement in time, may be lost.
    await cluster.untilInStep();

    await cluster.jobsPrimary.kill('SIGKILL');
    await untilDown();
    // BullMQ does the same with a blocking connection, and waits for it.
    patient.queue.disconnect();
    await once(patient.queue, 'end');
    await patient.queue.connect();
    const counts: unknown[] = [];
    for (let write = 1; write <= 5; write += 1) {
      counts.push(await replicatedWrite(patient.store, JOBS_KEY, (pipeline) => pipeline.incr(JOBS_KEY)));
    }

    assert.deepEqual(
      counts,
      [1, 2, 3, 4, 5].map((write) => before + write),
    );
    await failing;
    assert.ok(errors.length > 0);
    assert.equal(await respondsWithin(hasty.store, 1_000), true);
    assert.deepEqual(await Promise.all(KEYS.map((key) => patient.store.get(key))), KEYS);
  });

  /** Waits until the other nodes have noticed that slots are missing. */
  async function untilDown(): Promise<void> {
    const other = cluster.primaries.find(({ port }) => port !== cluster.jobsPrimary.port);
    await eventually(async () => {
      const info = String(await queryRedis(other?.port ?? 0, (redis) => redis.call('CLUSTER', 'INFO')));
      return info.includes('cluster_state:fail');
    });
  }
});
