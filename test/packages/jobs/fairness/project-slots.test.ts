import assert from 'node:assert/strict';
import {
  type ClaimedJob,
  jobKeys,
  ProgressLog,
  promoteNextJob,
  type QueuedJob,
  Queues,
  requestCancel,
  resumeJob,
} from '@gateway/jobs';
import type { RedisConnections } from '@gateway/redis';
import { end, JobStore, jobOf, keepSeconds, queueJob } from '../job-store.ts';

describe('the slots of a project', () => {
  const store = new JobStore();
  let redis: RedisConnections;

  before(async () => {
    redis = await store.connect();
  });

  after(() => store.close());

  /** A job of the current test's project. */
  async function jobFor(projectId: string): Promise<ClaimedJob> {
    return { ...jobOf(await queueJob(redis.store)), projectId };
  }

  function claim(job: ClaimedJob, runningLimit: number) {
    return ProgressLog.claim(job, { redis: redis.store, keepSeconds, runningLimit });
  }

  it('admit jobs up to the limit, and another after each end', async () => {
    const [a, b, c] = [await jobFor('turns'), await jobFor('turns'), await jobFor('turns')];
    const log = await claim(a, 2);
    assert.ok(log instanceof ProgressLog);
    assert.ok((await claim(b, 2)) instanceof ProgressLog);
    assert.equal(await claim(c, 2), 'busy');
    await end(log);
    assert.ok((await claim(c, 2)) instanceof ProgressLog);
  });

  it('are separate for each project and each queue', async () => {
    assert.ok((await claim(await jobFor('one'), 1)) instanceof ProgressLog);
    assert.ok((await claim(await jobFor('another'), 1)) instanceof ProgressLog);
    assert.ok((await claim({ ...(await jobFor('one')), type: 'instance.delete' }, 1)) instanceof ProgressLog);
  });

  it('stay with a job whose worker died, whichever worker resumes it', async () => {
    const job = await jobFor('kept');
    await claim(job, 1);
    assert.equal(await claim(await jobFor('kept'), 1), 'busy');
    assert.ok((await claim(job, 1)) instanceof ProgressLog);
  });

  it('are released by a parked job, which later continues without one', async () => {
    const [parked, next] = [await jobFor('parked'), await jobFor('parked')];
    const log = await claim(parked, 1);
    assert.ok(log instanceof ProgressLog);
    await log.releaseSlot();
    assert.ok((await claim(next, 1)) instanceof ProgressLog);
    assert.equal(await claim(await jobFor('parked'), 1), 'busy');
    assert.ok((await claim(parked, 1)) instanceof ProgressLog);
  });

  it('are not released by a superseded run', async () => {
    const job = await jobFor('followed');
    const log = await claim(job, 1);
    assert.ok(log instanceof ProgressLog);
    await claim(job, 1);
    await log.releaseSlot();
    assert.equal(await claim(await jobFor('followed'), 1), 'busy');
  });

  it('are not required to roll back', async () => {
    await claim(await jobFor('cancelled'), 1);
    const waiting = await jobFor('cancelled');
    await requestCancel(redis.store, waiting.id);
    assert.ok((await claim(waiting, 1)) instanceof ProgressLog);
  });

  it('are released when the record of their job is gone', async () => {
    const vanished = await jobFor('vanished');
    await claim(vanished, 1);
    await redis.store.del(jobKeys.record(vanished.id));
    assert.ok((await claim(await jobFor('vanished'), 1)) instanceof ProgressLog);
  });

  describe('in the queue', () => {
    let queues: Queues;

    before(() => {
      queues = new Queues(redis.queue, store.prefix);
    });

    after(() => queues.close());

    const queued: Omit<QueuedJob, 'projectId'> = {
      type: 'instance.create',
      payload: {},
      credentialHandle: 'h',
      requestId: 'r',
    };

    /** A delayed job in its queue, as a deferred job is. */
    async function setAside(projectId: string, createdAt: number): Promise<ClaimedJob> {
      const job = await jobFor(projectId);
      await redis.store.zadd(jobKeys.waiting('provisioning', projectId), createdAt, job.id);
      await queues.add(job.id, { ...queued, projectId }, 3_600_000);
      return job;
    }

    async function isWaiting({ id }: ClaimedJob): Promise<boolean> {
      return (await redis.queue.zscore(`{${store.prefix}provisioning}:provisioning:delayed`, id)) !== null;
    }

    it('go to the job of the project that has waited longest', async () => {
      const younger = await setAside('line', 2);
      const older = await setAside('line', 1);
      await promoteNextJob(redis.store, queues, older);
      assert.deepEqual([await isWaiting(older), await isWaiting(younger)], [false, true]);
      await promoteNextJob(redis.store, queues, older);
      assert.equal(await isWaiting(younger), false);
    });

    it('are taken at once by a job that is resumed', async () => {
      const job = await setAside('woken', 1);
      await resumeJob(redis.store, queues, job);
      assert.equal(await isWaiting(job), false);
      await resumeJob(redis.store, queues, job);
    });

    it('are taken by resumed jobs before waiting ones', async () => {
      const before: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const { id } = await jobFor('before');
        await queues.add(id, { ...queued, projectId: 'before' });
        before.push(id);
      }
      const parked = await setAside('resumed', 1);
      await resumeJob(redis.store, queues, parked);
      const prioritized = `{${store.prefix}provisioning}:provisioning:prioritized`;
      const order = await redis.queue.zrange(prioritized, 0, '-1');
      const isBefore = (id: string) => order.indexOf(parked.id) < order.indexOf(id);
      assert.ok(order.includes(parked.id) && before.every(isBefore));
    });
  });
});
