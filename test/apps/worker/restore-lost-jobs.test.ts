import assert from 'node:assert/strict';
import { formatStored, storedForms } from '@gateway/core';
import { type JobType, jobKeys, ProgressLog, type QueuedJob, Queues, readJob } from '@gateway/jobs';
import { type Config, createLogger } from '@gateway/platform';
import type { RedisConnections } from '@gateway/store';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { restoreLostJobs } from '../../../apps/worker/src/maintenance/restore-lost-jobs.ts';
import { jobOf, keepSeconds, queueJob } from '../../packages/jobs/stored-jobs.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { TestStore } from '../../support/redis/test-redis.ts';

describe('restoring lost jobs', () => {
  const store = new TestStore();
  let redis: RedisConnections;
  let queues: Queues;
  let context: WorkerContext;

  before(async () => {
    redis = await store.connect();
    queues = new Queues(redis.queue, store.prefix);
    context = {
      config: { jobs: { lockSeconds: 2 } } as Config,
      redis,
      queues,
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, captureLogLines().stream),
      stopping: new AbortController(),
    } as WorkerContext;
  });

  after(async () => {
    await queues.close();
    await store.close();
  });

  /** An old job that is missing from its queue. */
  async function lostJob(type: JobType = 'instance.create', createdAt = 1): Promise<string> {
    const jobId = await queueJob(redis.store);
    const queued: QueuedJob = { type, payload: {}, credentialHandle: 'h', requestId: 'r', projectId: 'p1' };
    await redis.store.hset(jobKeys.record(jobId), { type, queued: formatStored(storedForms.job, queued) });
    await redis.store.zadd(jobKeys.open, createdAt, jobId);
    return jobId;
  }

  const isQueued = (jobId: string) => queues.has('provisioning', jobId);

  it('adds a job that had started to its queue again', async () => {
    const jobId = await lostJob();
    await ProgressLog.claim(jobOf(jobId), { redis: redis.store, keepSeconds });
    await restoreLostJobs(context);
    assert.equal(await isQueued(jobId), true);
    assert.equal((await readJob(redis.store, jobId))?.abortReason, null);
  });

  it('fails a job that the queue may never have accepted', async () => {
    const jobId = await lostJob();
    await restoreLostJobs(context);
    assert.equal(await isQueued(jobId), true);
    assert.equal((await readJob(redis.store, jobId))?.abortReason?.status, 503);
  });

  it('adds a job again whose entry reaches no worker any more', async () => {
    const jobId = await lostJob();
    await ProgressLog.claim(jobOf(jobId), { redis: redis.store, keepSeconds });
    await restoreLostJobs(context);
    const queue = await queues.open('provisioning');
    await redis.queue.del(queue.toKey('wait'), queue.toKey('prioritized'));
    assert.equal(await isQueued(jobId), false);
    await restoreLostJobs(context);
    assert.equal(await isQueued(jobId), true);
  });

  it('skips jobs that a producer may still be adding', async () => {
    const jobId = await lostJob('instance.create', Date.now());
    await restoreLostJobs(context);
    assert.equal(await isQueued(jobId), false);
  });

  it('makes a job ready that a clock ahead has deferred', async () => {
    const [early, late] = [await lostJob(), await lostJob()];
    await restoreLostJobs(context);
    const queue = await queues.open('provisioning');
    await queue.remove(early);
    await queue.remove(late);
    const options = { delay: 3_600_000, priority: 1 };
    await queue.add('instance.create', {}, { ...options, jobId: early });
    const timestamp = Date.now() + 9 * 3_600_000;
    await queue.add('instance.create', {}, { ...options, jobId: late, timestamp });

    await restoreLostJobs(context);

    const stateOf = async (jobId: string) => (await queue.getJob(jobId))?.getState();
    assert.deepEqual([await stateOf(early), await stateOf(late)], ['delayed', 'prioritized']);
  });

  it('continues with the other jobs after an error', async () => {
    await lostJob('instance.unheard-of' as JobType, 0);
    const jobId = await lostJob();
    await restoreLostJobs(context);
    assert.equal(await isQueued(jobId), true);
  });
});
