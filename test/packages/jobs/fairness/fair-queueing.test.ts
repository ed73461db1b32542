import assert from 'node:assert/strict';
import {
  type ClaimedJob,
  jobKeys,
  ProgressLog,
  readQueueEntry,
  requestCancel,
  resumeJob,
} from '@gateway/jobs';
import { eventually } from '../../../support/eventually.ts';
import { queueSuite, type Run } from './queue-suite.ts';

describe('fair queueing', () => {
  const suite = queueSuite();

  async function begin(): Promise<Run> {
    const run = await suite.begin();
    assert.ok(run, 'no job may begin');
    return run;
  }

  async function enqueueAll(...projects: string[]): Promise<ClaimedJob[]> {
    const jobs = [];
    for (const project of projects) jobs.push(await suite.enqueue(project));
    return jobs;
  }

  /** The projects of the jobs that begin, one after the other, until none is left. */
  async function order(): Promise<string> {
    const begun: string[] = [];
    for (let run = await suite.begin(); run !== null; run = await suite.begin()) {
      begun.push(run.job.projectId);
      await suite.end(run);
    }
    return begun.join('');
  }

  const stateOf = async ({ id }: ClaimedJob) =>
    (await readQueueEntry(suite.queues, 'provisioning', id))?.state;

  it('gives each waiting project a turn before any gets a second one', async () => {
    await enqueueAll('a', 'a', 'a', 'a', 'b', 'b', 'c');
    assert.equal(await order(), 'abcabaa');
  });

  it('lets a project that comes later join the next round', async () => {
    await enqueueAll('a', 'a', 'a', 'a', 'b', 'b', 'b');
    const running = [await begin(), await begin(), await begin()];
    await enqueueAll('c', 'c');
    for (const run of running) await suite.end(run);
    assert.equal(await order(), 'babcac');
  });

  it('keeps the order of jobs of one project', async () => {
    const jobs = await enqueueAll('a', 'a', 'a');
    const begun = [await begin(), await begin(), await begin()];
    assert.deepEqual(
      begun.map(({ job }) => job.id),
      jobs.map(({ id }) => id),
    );
  });

  it('does not charge a project for jobs that were cancelled', async () => {
    const cancelled = await enqueueAll('a', 'a', 'a', 'a');
    await enqueueAll('b', 'b', 'b');
    for (const job of cancelled) {
      await requestCancel(suite.redis.store, job.id);
      await resumeJob(suite.redis.store, suite.queues, job);
    }
    for (const _ of cancelled) await suite.end(await begin());
    await enqueueAll('a', 'a');
    assert.equal(await order(), 'babab');
  });

  it('begins anew when nothing waits', async () => {
    await enqueueAll('a', 'a', 'a');
    await order();
    await enqueueAll('a', 'b');
    const ready = await suite.redis.store.zrange(jobKeys.ready('provisioning'), 0, '-1', 'WITHSCORES');
    assert.deepEqual([ready[1], ready[3]], ['1', '1']);
  });

  describe('with a limit', () => {
    beforeEach(() => suite.restart(2));

    it('runs no more jobs, and the next one after an end', async () => {
      const jobs = await enqueueAll('a', 'a', 'a', 'a');
      const [first] = [await begin(), await begin()];
      assert.equal(await suite.begin(), null);
      assert.deepEqual(await Promise.all(jobs.slice(2).map(stateOf)), ['delayed', 'delayed']);
      await suite.end(first);
      assert.equal((await begin()).job.id, jobs[2]?.id);
      assert.equal(await suite.begin(), null);
    });

    it('gives the slots that one project may not take to others', async () => {
      await enqueueAll('a', 'a', 'a', 'b', 'b', 'b', 'c');
      const begun = [];
      for (let run = await suite.begin(); run !== null; run = await suite.begin())
        begun.push(run.job.projectId);
      assert.equal(begun.join(''), 'abcab');
    });

    it('counts each queue by itself', async () => {
      await enqueueAll('a', 'a');
      await Promise.all([begin(), begin()]);
      const elsewhere = { id: (await suite.enqueue('a')).id, type: 'instance.delete', projectId: 'a' };
      assert.ok((await suite.claim(elsewhere)) instanceof ProgressLog);
    });

    it('keeps the slot of a job whose worker died', async () => {
      const [first] = await enqueueAll('a', 'a', 'a');
      await begin();
      await begin();
      assert.ok(first && (await suite.claim(first)) instanceof ProgressLog);
      assert.equal(await suite.begin(), null);
    });

    it('counts no parked job, which later continues without a slot', async () => {
      await enqueueAll('a', 'a', 'a', 'a');
      const [parked] = [await begin(), await begin()];
      await parked.log.releaseSlot();
      await suite.admitOthers(parked.job);
      await begin();
      assert.equal(await suite.begin(), null);
      assert.ok((await suite.claim(parked.job)) instanceof ProgressLog);
    });

    it('is not touched by a superseded run', async () => {
      await enqueueAll('a', 'a', 'a');
      const [superseded] = [await begin(), await begin()];
      await suite.claim(superseded.job);
      await superseded.log.releaseSlot();
      await suite.admitOthers(superseded.job);
      assert.equal(await suite.begin(), null);
    });

    it('does not stop a job that is to roll back', async () => {
      const [, , waiting] = await enqueueAll('a', 'a', 'a');
      await begin();
      await begin();
      assert.ok(waiting);
      await requestCancel(suite.redis.store, waiting.id);
      await resumeJob(suite.redis.store, suite.queues, waiting);
      assert.equal((await begin()).job.id, waiting.id);
    });

    it('counts no job whose record is gone', async () => {
      const jobs = await enqueueAll('a', 'a', 'a');
      await begin();
      for (const { id } of jobs.slice(0, 2)) await suite.redis.store.del(jobKeys.record(id));
      assert.ok(jobs[2] && (await suite.claim(jobs[2])) instanceof ProgressLog);
    });

    it('admits again what a worker that died had admitted', async () => {
      await enqueueAll('a', 'a', 'a');
      const [ended] = [await begin(), await begin()];
      await suite.redis.store.zrem(jobKeys.running('provisioning'), `a/${ended.job.id}`);
      const { makeReady } = suite.queues;
      suite.queues.makeReady = async () => {};
      await suite.admitOthers(ended.job);
      assert.equal(await suite.begin(), null);
      suite.queues.makeReady = makeReady;
      await suite.admitOthers(ended.job, true);
      await begin();
    });

    it('counts no job that was withdrawn', async () => {
      const { add } = suite.queues;
      suite.queues.add = async () => Promise.reject(new Error('Connection is closed.'));
      await assert.rejects(suite.enqueue('a'));
      suite.queues.add = add;
      await enqueueAll('a', 'a');
      assert.ok(await eventually(async () => (await suite.begin()) ?? undefined));
      assert.ok(await eventually(async () => (await suite.begin()) ?? undefined));
    });

    it('lets a job begin that was admitted before the queue contained it', async () => {
      await enqueueAll('a', 'a');
      const [first] = [await begin(), await begin()];
      const { add } = suite.queues;
      suite.queues.add = async (...given) => {
        await suite.end(first);
        await add.apply(suite.queues, given);
      };
      const late = await suite.enqueue('a');
      assert.equal((await begin()).job.id, late.id);
    });
  });
});
