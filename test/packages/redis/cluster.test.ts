import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  answersWithin,
  isRedisAway,
  loadScript,
  openRedis,
  type RedisConnections,
  type RedisPatience,
  waitUntilReady,
} from '@gateway/redis';
import { eventually } from '../../support/eventually.ts';
import { type RedisCluster, startRedisCluster } from '../../support/redis-cluster.ts';
import { askRedis } from '../../support/redis-commands.ts';

/** Enough keys for every primary to hold some. */
const KEYS = Array.from({ length: 30 }, (_, index) => `key-${index}`);
const JOBS_KEY = '{jobs}:a';

describe('a Redis Cluster', function () {
  this.timeout(30_000);
  let cluster: RedisCluster;
  const opened: RedisConnections[] = [];

  before(async () => {
    cluster = await startRedisCluster();
  });

  after(() => cluster?.stop());

  afterEach(async () => {
    for (const redis of opened.splice(0)) await redis.close();
  });

  async function open(patience: RedisPatience, nodes = cluster.nodes): Promise<RedisConnections> {
    const url = 'redis://by.nodes';
    const redis = openRedis(
      { url, cacheUrl: url, keyPrefix: 'p:', clusterNodes: nodes, replicasToConfirm: 1 },
      patience,
    );
    opened.push(redis);
    assert.equal(await waitUntilReady(redis.store, 5_000), true);
    return redis;
  }

  for (const patience of ['wait', 'fail-fast'] as const) {
    it(`takes the commands of all roles, on connections that ${patience}, found by one node`, async () => {
      const { store, queue, blocking, isReady } = await open(patience, cluster.nodes.slice(0, 1));

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
      assert.equal(await answersWithin(store, 1_000), true);
    });
  }

  it('makes a script known to every primary', async () => {
    const { store } = await open('fail-fast');

    const digest = await loadScript(store, 'return redis.call("INCR", KEYS[1])');

    const ran = KEYS.map((key) => store.call('EVALSHA', digest, '1', `counted-${key}`));
    assert.deepEqual(
      await Promise.all(ran),
      KEYS.map(() => 1),
    );
  });

  it('has what is published heard, whichever node it was published at', async () => {
    const { store, listening } = await open('fail-fast');
    const listener = listening('listener');
    const heard: string[] = [];
    listener.on('message', (_channel, text) => heard.push(text));
    await listener.subscribe('news');

    for (const { port } of cluster.primaries) {
      await askRedis(port, (redis) => redis.publish('news', String(port)));
    }
    await store.publish('news', 'end');

    await eventually(async () => (heard.length === 4 ? true : undefined));
    assert.deepEqual(
      heard.toSorted(),
      [...cluster.primaries.map(({ port }) => String(port)), 'end'].toSorted(),
    );
  });

  it('confirms writes at the node that holds their key', async () => {
    const { confirmed, store } = await open('wait');

    assert.equal(await confirmed(store, JOBS_KEY, (write) => write.incr(JOBS_KEY)), 1);

    const { port } = cluster.replica;
    assert.equal(
      await askRedis(port, async (redis) => {
        await redis.readonly();
        return redis.get(`p:${JOBS_KEY}`);
      }),
      '1',
    );
  });

  // The last one: it takes a node away.
  it('loses no write when a primary dies: who waits goes on at its replica, others are told', async () => {
    const [patient, hasty] = [await open('wait'), await open('fail-fast')];
    const away: string[] = [];
    const failing = (async () => {
      for (;;) {
        try {
          await hasty.store.get(JOBS_KEY);
          if (away.length > 0) return;
        } catch (error) {
          assert.equal(isRedisAway(error), true, String(error));
          away.push(String(error));
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const before = Number(await patient.store.get(JOBS_KEY));

    await cluster.jobsPrimary.kill('SIGKILL');
    await untilDown();
    // As BullMQ does with a blocking connection, and waits for it.
    patient.queue.disconnect();
    await once(patient.queue, 'end');
    await patient.queue.connect();
    const counts: unknown[] = [];
    for (let write = 1; write <= 5; write += 1) {
      counts.push(await patient.confirmed(patient.store, JOBS_KEY, (pipeline) => pipeline.incr(JOBS_KEY)));
    }

    assert.deepEqual(
      counts,
      [1, 2, 3, 4, 5].map((write) => before + write),
    );
    await failing;
    assert.ok(away.length > 0);
    assert.equal(await answersWithin(hasty.store, 1_000), true);
    assert.deepEqual(await Promise.all(KEYS.map((key) => patient.store.get(key))), KEYS);
  });

  /** The others have noticed that a part is missing. */
  async function untilDown(): Promise<void> {
    const other = cluster.primaries.find(({ port }) => port !== cluster.jobsPrimary.port);
    await eventually(async () => {
      const info = String(await askRedis(other?.port ?? 0, (redis) => redis.call('CLUSTER', 'INFO')));
      return info.includes('cluster_state:fail') ? true : undefined;
    });
  }
});
