import assert from 'node:assert/strict';
import { formatStored, NewerFormError, storedForms } from '@gateway/core';
import { HistoryLog, type HistoryRequest, historyOutcome, jobKeys, ProgressLog } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { end, jobOf, keepSeconds, queueJob } from '../stored-jobs.ts';

const PROJECT = 'p1';
const keys = [jobKeys.history(PROJECT), jobKeys.historyParts(PROJECT), jobKeys.historyUnsuccessful(PROJECT)];

/** What an administrator reads. */
const everything = { projectId: PROJECT, readerId: undefined };

function request(differences: Partial<HistoryRequest> = {}): HistoryRequest {
  return {
    requestId: 'req-1',
    userId: 'u1',
    userName: 'demo',
    method: 'DELETE',
    route: '/api/volumes/:volume_id',
    resourceIds: ['v1'],
    status: 204,
    code: null,
    jobId: null,
    ...differences,
  };
}

describe('HistoryLog', () => {
  const store = new TestStore();
  let redis: Redis;

  before(async () => {
    redis = (await store.connect()).store;
  });

  after(() => store.close());

  beforeEach(() => redis.del(...keys));

  const logOf = (maxRecords: number) =>
    new HistoryLog({ redis, clock: Date, limits: { keepSeconds: 600, maxRecords } });

  async function resourcesIn(log: HistoryLog): Promise<(string | undefined)[] | undefined> {
    const page = await log.read({ ...everything, limit: 1000 });
    return page?.entries.map((entry) => entry.request?.resourceIds[0]);
  }

  async function endJob(jobId: string, maxRecords: number, status?: 'failed' | 'cancelled'): Promise<void> {
    const history = { keepSeconds: 600, maxRecords };
    const log = await ProgressLog.claim(jobOf(jobId), { redis, keepSeconds, history });
    assert.ok(log instanceof ProgressLog);
    await end(log, { resourceId: 'server-1', ...(status !== undefined && { status }) });
  }

  it('keeps the newest entries, and no part of others', async () => {
    const log = logOf(3);
    for (const id of ['v1', 'v2', 'v3', 'v4', 'v5'])
      await log.record(PROJECT, request({ jobId: id, resourceIds: [id] }));

    assert.deepEqual(new Set(await resourcesIn(log)), new Set(['v3', 'v4', 'v5']));
    assert.equal(await redis.hlen(jobKeys.historyParts(PROJECT)), 3);
    assert.ok((await redis.ttl(jobKeys.history(PROJECT))) > 500);
  });

  it('keeps the order of requests within a millisecond, whose times are whole', async () => {
    const log = logOf(100);
    const names = Array.from({ length: 50 }, (_, n) => `v${n}`);
    for (const name of names) await log.record(PROJECT, request({ resourceIds: [name] }));

    assert.deepEqual(await resourcesIn(log), names.toReversed());
    const page = await log.read({ ...everything, limit: 100 });
    assert.ok(page?.entries.every(({ at }) => Number.isInteger(at)));
  });

  it('has a limit apart for what was refused or has failed', async () => {
    const log = logOf(8);
    for (let n = 0; n < 12; n += 1) {
      await log.record(PROJECT, request({ resourceIds: [`done-${n}`] }));
      await log.record(PROJECT, request({ resourceIds: [`refused-${n}`], status: n % 2 === 0 ? 403 : 499 }));
      await endJob(await queueJob(redis), 8, n % 2 === 0 ? 'failed' : 'cancelled');
    }

    const page = await log.read({ ...everything, limit: 1000 });

    const outcomes = page?.entries.map((entry) => historyOutcome(entry)) ?? [];
    assert.equal(outcomes.filter((outcome) => outcome === 'completed').length, 8);
    assert.equal(outcomes.length, 10);
    assert.equal(await redis.zcard(jobKeys.historyUnsuccessful(PROJECT)), 2);
    assert.ok((await redis.ttl(jobKeys.historyUnsuccessful(PROJECT))) > 500);
  });

  it('counts a request by its job, not by the lost response', async () => {
    const log = logOf(4);
    const jobId = await queueJob(redis);

    await log.record(PROJECT, request({ jobId, status: 504 }));

    assert.equal(await redis.zcard(jobKeys.historyUnsuccessful(PROJECT)), 0);
  });

  it('removes entries that are too old', async () => {
    const log = logOf(100);
    await redis.zadd(jobKeys.history(PROJECT), Date.now() - 700_000, 'old');
    await redis.hset(jobKeys.historyParts(PROJECT), 'request:old', '{}', 'job:old', '{}');

    await log.record(PROJECT, request());

    assert.deepEqual(await resourcesIn(log), ['v1']);
    assert.equal(await redis.hlen(jobKeys.historyParts(PROJECT)), 1);
  });

  it('joins a request and its job, whichever comes first', async () => {
    const [early, late] = [await queueJob(redis), await queueJob(redis)];
    const ofPast = new HistoryLog({
      redis,
      clock: { now: () => 2_000 },
      limits: { keepSeconds: 1e9, maxRecords: 10 },
    });
    await redis.hset(jobKeys.record(early), 'createdAt', Date.now());
    await redis.hset(jobKeys.record(late), 'createdAt', Date.now() + 1);
    await ofPast.record(PROJECT, request({ jobId: early, status: 202 }));
    await endJob(early, 10);
    await endJob(late, 10);
    await ofPast.record(PROJECT, request({ jobId: late, status: 201 }));

    const page = await ofPast.read({ ...everything, limit: 10 });

    const entries = page?.entries.toSorted((a, b) => (a.id === late ? -1 : b.id === late ? 1 : 0)) ?? [];
    assert.deepEqual(
      entries.map((entry) => [entry.id, entry.request?.status, entry.job?.resourceId, historyOutcome(entry)]),
      [
        [late, 201, 'server-1', 'completed'],
        [early, 202, 'server-1', 'completed'],
      ],
    );
  });

  it('is off with a maximum of 0', async () => {
    await logOf(0).record(PROJECT, request());
    await endJob(await queueJob(redis), 0);

    assert.equal(await redis.exists(...keys), 0);
  });

  it('finds rare entries among many, in one page', async () => {
    const log = logOf(10_000);
    const pipeline = redis.pipeline();
    const at = Date.now();
    for (let n = 0; n < 700; n++) {
      const part = formatStored(
        storedForms.historyRequest,
        request({ userId: n % 300 === 0 ? 'rare' : 'usual' }),
      );
      pipeline.zadd(jobKeys.history(PROJECT), at - n, `e${n}`);
      pipeline.hset(jobKeys.historyParts(PROJECT), `request:e${n}`, part);
    }
    await pipeline.exec();

    const all = await log.read({ ...everything, limit: 10, userId: 'rare' });
    const first = await log.read({ ...everything, limit: 2, userId: 'rare' });

    assert.deepEqual(
      [all, first].map((page) => [page?.entries.map(({ id }) => id), page?.hasMore]),
      [
        [['e0', 'e300', 'e600'], false],
        [['e0', 'e300'], true],
      ],
    );
    assert.equal(await log.read({ ...everything, limit: 2, marker: 'nobody' }), null);
  });

  it('leaves entries in a newer form to newer processes', async () => {
    await redis.zadd(jobKeys.history(PROJECT), Date.now(), 'newer');
    await redis.hset(jobKeys.historyParts(PROJECT), 'request:newer', '{"form":2}');

    await assert.rejects(logOf(10).read({ ...everything, limit: 10 }), NewerFormError);
  });
});
