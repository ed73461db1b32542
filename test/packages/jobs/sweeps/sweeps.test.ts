import assert from 'node:assert/strict';
import { NewerFormError } from '@gateway/core';
import {
  countLeftovers,
  jobKeys,
  type Leftover,
  readJob,
  readQueued,
  readSweep,
  SweepLog,
  sweptJobs,
} from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { claim, keepSeconds, queueJob } from '../stored-jobs.ts';

const leftover: Leftover = { type: 'volume', id: 'v1', reason: 'In use.' };
const failed = { step: 'FAILED', progress: -1, message: 'Too much.' };

describe('the sweeps of a job', () => {
  const store = new TestStore();
  let redis: Redis;
  let jobId: string;

  before(async () => {
    redis = (await store.connect()).store;
  });

  after(() => store.close());

  beforeEach(async () => {
    await redis.del(jobKeys.sweeps);
    jobId = await queueJob(redis);
    await redis.hset(jobKeys.record(jobId), 'queued', '{"form":1,"type":"instance.create"}');
    const log = await claim(redis, jobId);
    await log.record({}, { field: 'a', value: '{"phase":"made"}' });
    await log.end(
      failed,
      { status: 'failed', leftovers: [leftover] },
      { sweep: { leftovers: 1, searchUntil: 0 } },
    );
  });

  const ttl = (key: string) => redis.ttl(key);

  it('are counted, and keep the job with everything that sweeping requires', async () => {
    assert.equal(await countLeftovers(redis), 1);
    assert.deepEqual(await sweptJobs(redis), [jobId]);
    assert.deepEqual(await readSweep(redis, jobId), { leftovers: 1, searchUntil: 0 });
    assert.equal((await readQueued(redis, jobId))?.type, 'instance.create');
    assert.deepEqual([await ttl(jobKeys.record(jobId)), await ttl(jobKeys.journal(jobId))], [-1, -1]);
  });

  it('keep the events for as long as the job can be read', async () => {
    assert.equal(await ttl(jobKeys.log(jobId)), -1);
    await new SweepLog(jobId, { redis, keepSeconds }).close([], null);
    assert.equal(await ttl(jobKeys.log(jobId)), await ttl(jobKeys.record(jobId)));
  });

  it('can be updated: what was removed is no longer on the job', async () => {
    const log = new SweepLog(jobId, { redis, keepSeconds });
    await log.record({}, { field: 'a', value: '{"phase":"undone"}' });
    await log.close([], null);
    const record = await readJob(redis, jobId);
    assert.deepEqual([record?.leftovers, record?.status], [[], 'failed']);
    assert.equal(await redis.hget(jobKeys.journal(jobId), 'a'), '{"phase":"undone"}');
    assert.equal(await countLeftovers(redis), 0);
    assert.equal(await readQueued(redis, jobId), null);
    for (const key of [jobKeys.record(jobId), jobKeys.journal(jobId)]) assert.ok((await ttl(key)) > 0);
  });

  it('continue while something is left', async () => {
    const log = new SweepLog(jobId, { redis, keepSeconds });
    await log.close([{ ...leftover, reason: 'Still in use.' }], { leftovers: 1, searchUntil: 5 });
    assert.equal((await readJob(redis, jobId))?.leftovers[0]?.reason, 'Still in use.');
    assert.deepEqual(await readSweep(redis, jobId), { leftovers: 1, searchUntil: 5 });
    assert.equal(await ttl(jobKeys.record(jobId)), -1);
  });

  it('cost only themselves in a form that is not known', async () => {
    await redis.hset(jobKeys.sweeps, 'newer', '{"form":99}', 'broken', '{');
    assert.deepEqual((await sweptJobs(redis)).sort(), ['broken', 'newer', jobId].sort());
    assert.equal(await countLeftovers(redis), 1);
    await assert.rejects(readSweep(redis, 'newer'), NewerFormError);
    assert.equal(await readSweep(redis, 'gone'), null);
  });

  it('end with a record that is gone, and recreate none of it', async () => {
    await redis.del(jobKeys.record(jobId), jobKeys.journal(jobId));
    const log = new SweepLog(jobId, { redis, keepSeconds });
    await log.record({}, { field: 'a', value: '{}' });
    await log.close([leftover], { leftovers: 1, searchUntil: 0 });
    assert.equal(await redis.exists(jobKeys.record(jobId), jobKeys.journal(jobId)), 0);
    assert.equal(await countLeftovers(redis), 0);
  });
});
