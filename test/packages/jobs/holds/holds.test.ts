import assert from 'node:assert/strict';
import {
  announceHold,
  countHeldJobs,
  holdJob,
  jobKeys,
  ProgressLog,
  type ProgressMessage,
  presentJob,
  readEvents,
  readJob,
  releaseJob,
  requestCancel,
} from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { RedisJournal } from '../../../../apps/worker/src/saga/index.ts';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { end, jobOf, keepSeconds, message, queueJob } from '../stored-jobs.ts';

describe('a job whose runs are lost with their workers', () => {
  const store = new TestStore();
  let redis: Redis;
  let jobId: string;

  before(async () => {
    redis = (await store.connect()).store;
  });
  after(() => store.close());
  beforeEach(async () => {
    jobId = await queueJob(redis);
    await redis.del(jobKeys.held);
  });

  const tryToClaim = () =>
    ProgressLog.claim(jobOf(jobId), { redis, keepSeconds, runningLimit: 0, lostRunsLimit: 2 });

  async function claim(): Promise<ProgressLog> {
    const log = await tryToClaim();
    assert.ok(log instanceof ProgressLog, `the job is ${log}`);
    return log;
  }

  async function readState() {
    const record = await readJob(redis, jobId);
    assert.ok(record);
    return { ...record, ...presentJob(record, Date.now()) };
  }

  /** Two runs are lost. */
  async function becomeHeld(): Promise<void> {
    await claim();
    await (await claim()).publish(message(7));
    assert.equal(await tryToClaim(), 'held');
  }

  it('is held, and takes no slot', async () => {
    await becomeHeld();
    assert.equal(await tryToClaim(), 'held');
    const { lostRuns, message: text, runs, state, status } = await readState();
    assert.deepEqual([state, status, runs, lostRuns], ['held', 'running', 2, 2]);
    assert.match(text, /^The job is held, because its runs have ended several times without a result\./);
    assert.deepEqual(await countHeldJobs(redis), { lost_runs: 1, administrator: 0 });
    const running = await redis.zrange(jobKeys.running('provisioning'), 0, '-1');
    assert.ok(!running.some((member) => member.endsWith(jobId)));
  });

  it('publishes that once', async () => {
    await becomeHeld();
    const { hold } = await readState();
    assert.ok(hold);
    assert.deepEqual(
      [await announceHold(redis, jobId, hold), await announceHold(redis, jobId, hold)],
      [true, false],
    );
    const events = (await readEvents(redis, jobId, 0)).map(({ data }) => JSON.parse(data) as ProgressMessage);
    assert.deepEqual(
      events.map(({ step, progress }) => [step, progress]),
      [
        ['STEP_7', 7],
        ['STEP_7', 7],
      ],
    );
    assert.match(events[1]?.message ?? '', /^The job is held/);
  });

  it('is not held if its journal comes further', async () => {
    for (let n = 0; n < 4; n++) {
      const journal = new RedisJournal(redis, await claim());
      await journal.write(`step-${n}`, { phase: 'begun' });
      await journal.write(`step-${n}`, { phase: 'done', result: {} });
    }
    assert.equal((await readState()).state, 'running');
  });

  it('is held although it repeats what it has done before', async () => {
    for (const phase of ['begun', 'orphaned'] as const) {
      const journal = new RedisJournal(redis, await claim());
      await journal.load();
      await journal.write('step', { phase });
    }
    assert.equal(await tryToClaim(), 'held');
  });

  it('is not held by runs that are parked, released or broken off', async () => {
    for (let n = 0; n < 3; n++) await (await claim()).closeRun();
    for (let n = 0; n < 3; n++) await (await claim()).releaseSlot();
    const { lostRuns, state } = await readState();
    assert.deepEqual([state, lostRuns], ['running', 0]);
  });

  it('runs again once it is released, with a new count', async () => {
    await becomeHeld();
    const job = await readState();
    assert.deepEqual([await releaseJob(redis, job), await releaseJob(redis, job)], [true, false]);
    await claim();
    const { lostRuns, message: text, state } = await readState();
    assert.deepEqual([state, lostRuns, text], ['running', 0, 'Event 7.']);
    assert.deepEqual(await countHeldJobs(redis), { lost_runs: 0, administrator: 0 });
  });

  it('is claimed for its rollback once it is cancelled', async () => {
    await becomeHeld();
    assert.equal(await requestCancel(redis, jobId), true);
    await claim();
    assert.deepEqual(await countHeldJobs(redis), { lost_runs: 0, administrator: 0 });
  });

  it('no longer counts as held when its run ends nevertheless', async () => {
    const log = await claim();
    await holdJob(redis, await readState());
    await end(log);
    assert.deepEqual(await countHeldJobs(redis), { lost_runs: 0, administrator: 0 });
    assert.equal((await readState()).state, 'completed');
  });

  describe('or that an administrator holds', () => {
    it('does not wait for a slot before its release', async () => {
      const ready = jobKeys.ready('provisioning');
      await redis.zadd(ready, 1, jobId);
      const job = await readState();
      assert.deepEqual([await holdJob(redis, job), await holdJob(redis, job)], [true, false]);
      const { message: text, state, status } = await readState();
      assert.deepEqual([state, status], ['held', 'queued']);
      assert.match(text, /^An administrator holds the job\./);
      assert.equal(await redis.zscore(ready, jobId), null);
      assert.equal(await tryToClaim(), 'held');
      await releaseJob(redis, job);
      await claim();
    });

    it('stops its run with the next write', async () => {
      const log = await claim();
      await holdJob(redis, await readState());
      assert.equal(log.held.aborted, false);
      await log.publish(message(1));
      assert.deepEqual([log.held.aborted, log.cancelled.aborted], [true, false]);
    });

    it('is refused once it has ended', async () => {
      await end(await claim());
      assert.equal(await holdJob(redis, await readState()), false);
    });
  });
});
