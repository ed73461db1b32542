import assert from 'node:assert/strict';
import { jobKeys, listJobs, ProgressLog, readJob, SweepLog } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { jobOf, keepSeconds, queueJob } from '../stored-jobs.ts';

const LIMIT = 3;
const SWEEP = { leftovers: 0, searchUntil: 1 };

describe('the unsuccessful jobs of a project', () => {
  const store = new TestStore();
  let redis: Redis;

  before(async () => {
    redis = (await store.connect()).store;
  });

  beforeEach(() => redis.del(jobKeys.unsuccessful('p1'), jobKeys.ofProject('p1')));

  after(() => store.close());

  async function end(status: 'completed' | 'failed' | 'cancelled', isSwept = false): Promise<string> {
    const id = await queueJob(redis);
    await redis.zadd(jobKeys.ofProject('p1'), Date.now(), id);
    const log = await ProgressLog.claim(jobOf(id), { redis, keepSeconds, unsuccessfulLimit: LIMIT });
    assert.ok(log instanceof ProgressLog);
    await log.record({}, { field: 'step', value: '{}' });
    const leftovers = isSwept ? [{ type: 'volume', id: 'v', reason: 'busy' }] : [];
    const sweep = isSwept ? { ...SWEEP, leftovers: 1 } : null;
    await log.end({ step: 'END', progress: 0, message: 'It has ended.' }, { status, leftovers }, { sweep });
    // The order is that of the ends, in milliseconds.
    const ended = Number(await redis.hget(jobKeys.record(id), 'updatedAt'));
    while (Date.now() <= ended) await new Promise(setImmediate);
    return id;
  }

  const kept = async (...ids: string[]) =>
    Promise.all(ids.map(async (id) => (await readJob(redis, id)) !== null));

  it('are the latest; the oldest go, with all of their keys', async () => {
    const completed = await end('completed');
    const first = await end('failed');
    const second = await end('cancelled');
    const others = [await end('failed'), await end('failed')];
    assert.deepEqual(await kept(completed, first, second, ...others), [true, false, true, true, true]);

    const last = await end('failed');

    assert.deepEqual(await kept(completed, second, ...others, last), [true, false, true, true, true]);
    for (const id of [first, second]) assert.deepEqual(await redis.keys(`*${id}*`), []);
    const page = await listJobs(redis, { projectId: 'p1', limit: 10 });
    assert.deepEqual(new Set(page?.jobs.map(({ id }) => id)), new Set([completed, ...others, last]));
  });

  it('do not include those with leftovers, until these are gone', async () => {
    const swept = await end('failed', true);
    const first = await end('failed');
    for (let count = 0; count < LIMIT; count += 1) await end('failed');
    assert.deepEqual(await kept(swept, first), [true, false]);

    const log = new SweepLog(swept, { redis, keepSeconds, unsuccessfulLimit: LIMIT });
    await log.close([{ type: 'volume', id: 'v', reason: 'busy' }], { ...SWEEP, leftovers: 1 });
    for (let count = 0; count < LIMIT; count += 1) await end('failed');
    assert.deepEqual(await kept(swept), [true]);

    await log.close([], null);

    assert.deepEqual(await kept(swept), [false], 'it is older than the others');
    assert.equal(await redis.hexists(jobKeys.sweeps, swept), 0);
  });
});
