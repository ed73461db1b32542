import assert from 'node:assert/strict';
import { jobKeys, ProgressLog, readEvents, readJob, requestCancel } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { sendTwice } from '../../../support/redis/replicated-writes.ts';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { append, claim, end, jobOf, keepSeconds, queueJob } from '../stored-jobs.ts';

describe('writes that are sent twice', () => {
  const store = new TestStore();
  let redis: Redis;
  let jobId: string;
  let log: ProgressLog;

  before(async () => {
    redis = (await store.connect()).store;
    sendTwice(redis);
  });

  after(() => store.close());

  beforeEach(async () => {
    jobId = await queueJob(redis);
    log = await claim(redis, jobId);
  });

  it('add one event each, and one last event', async () => {
    await append(log, 1, 3);
    await log.record({}, { field: 'a', value: 'b' });
    await end(log);

    const events = await readEvents(redis, jobId, 0);
    assert.deepEqual(
      events.map(({ data }) => (JSON.parse(data) as { step: string }).step),
      ['STEP_1', 'STEP_2', 'STEP_3', 'COMPLETED'],
    );
    assert.equal((await readJob(redis, jobId))?.status, 'completed');
    assert.deepEqual(await redis.hgetall(jobKeys.journal(jobId)), { a: 'b' });
  });

  it('count no run as lost', async () => {
    const id = await queueJob(redis);
    const limits = { runningLimit: 0, ownSlots: 50, lostRunsLimit: 1 };
    const claimed = await ProgressLog.claim(jobOf(id), { redis, keepSeconds, ...limits });

    assert.ok(claimed instanceof ProgressLog, `the job is ${claimed}`);
    const job = await readJob(redis, id);
    assert.deepEqual([job?.runs, job?.lostRuns, job?.hold], [2, 0, null]);
  });

  it('may commit the job', async () => {
    await log.record({ isCommitting: true }, { field: 'a', value: 'b' });

    assert.equal(await requestCancel(redis, jobId), false);
    await end(log);
    assert.equal((await readJob(redis, jobId))?.status, 'completed');
  });

  it('leave the job with the run that has claimed it', async () => {
    await append(log, 1, 1);
    const next = await claim(redis, jobId);

    await assert.rejects(append(log, 2, 2), /taken over/);
    await append(next, 2, 2);

    const events = await readEvents(redis, jobId, 0);
    assert.equal(events.length, 2);
  });
});
