import assert from 'node:assert/strict';
import { excessMemory, HistoryLog, jobKeys, trimHistories } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { Redis as Client } from 'ioredis';
import { type RunningRedis, startRedis } from '../../../../scripts/redis.ts';
import { TestStore } from '../../../support/redis/test-redis.ts';

const { signal } = new AbortController();

describe('trimHistories', () => {
  const store = new TestStore();
  let redis: Redis;
  let log: HistoryLog;

  before(async () => {
    redis = (await store.connect()).store;
    log = new HistoryLog({ redis, clock: Date, limits: { keepSeconds: 600, maxRecords: 10_000 } });
  });
  after(() => store.close());

  /** Gives each project a history of this length, in which every third entry has failed. */
  async function write(lengths: Record<string, number>): Promise<void> {
    const known = await redis.zrange(jobKeys.historyProjects, '0', '-1');
    for (const project of known) await redis.del(...keysOf(project));
    await redis.del(jobKeys.historyProjects);
    for (const [project, length] of Object.entries(lengths)) {
      for (let at = 0; at < length; at++) {
        await log.record(project, {
          requestId: `req-${at}`,
          userId: 'u1',
          userName: 'demo',
          method: 'DELETE',
          route: '/api/volumes/:volume_id',
          resourceIds: [`v${at}`],
          status: at % 3 === 0 ? 409 : 204,
          code: null,
          jobId: null,
        });
      }
    }
  }

  const keysOf = (project: string) => [
    jobKeys.history(project),
    jobKeys.historyParts(project),
    jobKeys.historyUnsuccessful(project),
  ];

  async function entriesOf(projectId: string) {
    const page = await log.read({ projectId, readerId: undefined, limit: 100 });
    return page?.entries ?? [];
  }

  async function lengths(): Promise<number[]> {
    return Promise.all(['a', 'b', 'c'].map((project) => redis.zcard(jobKeys.history(project))));
  }

  it('takes from the longest histories until all keep the bound', async () => {
    await write({ a: 3, b: 40, c: 20 });

    const removed = await trimHistories(redis, { maxTotalRecords: 33, excessBytes: 0, signal });

    assert.deepEqual([removed, await lengths()], [30, [3, 15, 15]]);
    assert.equal(await redis.hlen(jobKeys.historyParts('b')), 15);
    const failed = (await entriesOf('b')).filter((entry) => entry.request?.status === 409);
    assert.equal(await redis.zcard(jobKeys.historyUnsuccessful('b')), failed.length);
  });

  it('removes the oldest entries', async () => {
    await write({ a: 5 });

    const newest = (await entriesOf('a')).slice(0, 2);

    await trimHistories(redis, { maxTotalRecords: 2, excessBytes: 0, signal });

    assert.deepEqual(await entriesOf('a'), newest);
  });

  it('removes nothing within the bound, and without one', async () => {
    await write({ a: 3, b: 4 });

    for (const maxTotalRecords of [7, 0])
      assert.equal(await trimHistories(redis, { maxTotalRecords, excessBytes: 0, signal }), 0);
  });

  it('removes what the memory lacks, a part at a time', async () => {
    await write({ a: 110, b: 390 });
    const trim = (excessBytes: number) => trimHistories(redis, { maxTotalRecords: 0, excessBytes, signal });

    const removed = [await trim(20 * 1100), await trim(1_000_000)];

    assert.deepEqual(
      [removed, (await lengths()).slice(0, 2)],
      [
        [20, 96],
        [110, 274],
      ],
    );
  });

  it('keeps a hundred entries of each project however little memory there is', async () => {
    await write({ a: 90, b: 120 });
    const limits = { maxTotalRecords: 0, excessBytes: 1_000_000_000, signal };

    for (const _ of [1, 2, 3]) await trimHistories(redis, limits);

    assert.deepEqual((await lengths()).slice(0, 2), [90, 100]);
  });

  it('stops with the process', async () => {
    await write({ a: 3 });

    await trimHistories(redis, { maxTotalRecords: 1, excessBytes: 0, signal: AbortSignal.abort() });

    assert.deepEqual((await lengths())[0], 3);
  });
});

describe('excessMemory', () => {
  let server: RunningRedis;
  let redis: Client;

  before(async () => {
    server = await startRedis();
    redis = new Client(server.url);
  });
  after(async () => {
    redis?.disconnect();
    await server?.stop();
  });

  it('is that of the server with the histories', async () => {
    await redis.zadd(jobKeys.historyProjects, 1, 'p1');
    assert.equal(await excessMemory(redis), 0);

    await redis.config('SET', 'maxmemory', '1gb');
    assert.equal(await excessMemory(redis), 0);

    await redis.config('SET', 'maxmemory', '1mb');
    assert.ok((await excessMemory(redis)) > 0);
  });
});
