import assert from 'node:assert/strict';
import {
  type ClaimedJob,
  type ClaimOptions,
  ProgressLog,
  type PromoteOptions,
  promoteNextJob,
  registerSlots,
  requestCancel,
  unregisterSlots,
} from '@gateway/jobs';
import { eventually } from '../../../support/eventually.ts';
import { end, keepSeconds } from '../job-store.ts';
import { queueSuite } from './queue-suite.ts';

const LIVE_MS = 60_000;

describe('fair queueing', () => {
  const suite = queueSuite();

  function announce(...counts: number[]): Promise<unknown> {
    return Promise.all(
      counts.map((count, worker) =>
        registerSlots(suite.redis.store, `worker-${worker}`, new Map([['provisioning', count]]), LIVE_MS),
      ),
    );
  }

  async function claim(job: ClaimedJob, options: Partial<ClaimOptions> = {}): Promise<ProgressLog | 'busy'> {
    const log = await ProgressLog.claim(job, {
      redis: suite.redis.store,
      keepSeconds,
      runningLimit: 0,
      ...options,
    });
    assert.ok(log === 'busy' || log instanceof ProgressLog);
    return log;
  }

  async function begin(job: ClaimedJob): Promise<ProgressLog> {
    const log = await claim(job);
    assert.ok(log instanceof ProgressLog, `${job.projectId} has to wait`);
    return log;
  }

  async function mayBegin(job: ClaimedJob): Promise<boolean> {
    return (await claim(job)) !== 'busy';
  }

  const promoteNext = (job: ClaimedJob, options: Partial<PromoteOptions> = {}) =>
    promoteNextJob(suite.redis.store, suite.queues, job, {
      runningLimit: 0,
      acceptReadyJob: true,
      ...options,
    });

  for (const runningLimit of [0, 100]) {
    it(`reserves a slot for projects without running jobs, with limit ${runningLimit}`, async () => {
      await announce(1, 1, 1);
      const begun: boolean[] = [];
      for (let job = 0; job < 4; job += 1) {
        begun.push((await claim(await suite.enqueue('greedy'), { runningLimit })) !== 'busy');
      }
      assert.deepEqual(begun, [true, true, false, false]);
      assert.ok((await claim(await suite.enqueue('other'), { runningLimit })) instanceof ProgressLog);
      assert.equal(await claim(await suite.enqueue('other'), { runningLimit }), 'busy');
    });
  }

  it("counts the asking worker's slots, even before their announcement", async () => {
    const [first, second] = [await suite.enqueue('a'), await suite.enqueue('a')];
    assert.ok((await claim(first, { ownSlots: 2 })) instanceof ProgressLog);
    assert.equal(await claim(second, { ownSlots: 2 }), 'busy');
    assert.ok((await claim(second, { ownSlots: 3 })) instanceof ProgressLog);
  });

  it('does not count the slots of workers that have stopped or died', async () => {
    const slots = new Map([['provisioning', 10]] as const);
    await announce(2);
    await registerSlots(suite.redis.store, 'stopping', slots, LIVE_MS);
    await unregisterSlots(suite.redis.store, 'stopping', slots);
    await registerSlots(suite.redis.store, 'dying', slots, 1);
    await begin(await suite.enqueue('a'));
    await eventually(async () => {
      assert.equal(await mayBegin(await suite.enqueue('a')), false);
      return true;
    });
  });

  it('gives the only slot to other waiting projects first', async () => {
    await announce(1);
    const [a1, a2, a3] = [await suite.enqueue('a'), await suite.enqueue('a'), await suite.enqueue('a')];
    const running = await begin(a1);
    const [b1, b2] = [await suite.enqueue('b'), await suite.enqueue('b')];
    const c1 = await suite.enqueue('c');
    await end(running);

    const order: string[] = [];
    const waiting = new Set([a2, a3, b1, b2, c1]);
    while (waiting.size > 0) {
      const turns = [];
      for (const job of waiting) {
        const log = await claim(job);
        if (log === 'busy') continue;
        turns.push(job.projectId);
        waiting.delete(job);
        await end(log);
        break;
      }
      assert.equal(turns.length, 1, 'the slot is not left idle');
      order.push(...turns);
    }

    assert.deepEqual(order, ['b', 'c', 'a', 'b', 'a']);
  });

  it('starts a job of the project with the fewest running jobs first', async () => {
    await announce(10);
    for (let job = 0; job < 3; job += 1) await begin(await suite.enqueue('many'));
    await begin(await suite.enqueue('few'));
    const [ofMany, ofFew] = [await suite.enqueue('many'), await suite.enqueue('few')];
    assert.equal(await mayBegin(ofMany), false);
    assert.equal(await mayBegin(ofFew), true);
    assert.equal(await mayBegin(ofMany), true);
  });

  it('skips a project at its limit', async () => {
    await announce(10);
    const limits = { runningLimit: 1 };
    const first = await suite.enqueue('limited');
    assert.ok((await claim(first, limits)) instanceof ProgressLog);
    await suite.enqueue('limited');
    assert.ok((await claim(await suite.enqueue('other'), limits)) instanceof ProgressLog);
  });

  it('skips a project whose jobs the queue has lost', async () => {
    await announce(1);
    await end(await begin(await suite.enqueue('a')));
    const next = await suite.enqueue('a');
    const lost = await suite.enqueue('lost');
    const queue = `{${suite.store.prefix}provisioning}:provisioning`;
    await suite.redis.queue.del(`${queue}:${lost.id}`);

    assert.equal(await claim(next), 'busy');
    assert.equal(await promoteNext(next), 'a');
    assert.ok((await claim(next, { mayOvertake: true })) instanceof ProgressLog);
  });

  it('reserves no slot for a job that is gone', async () => {
    await announce(2);
    const vanished = await suite.enqueue('gone');
    const stillRunning = await suite.enqueue('gone');
    await begin(stillRunning);
    for (const { id } of [vanished, stillRunning]) await suite.redis.store.del(`{jobs}:job:${id}`);
    await begin(await suite.enqueue('a'));
    assert.equal(await mayBegin(await suite.enqueue('b')), true);
  });

  it('does not delay a begun or cancelled job', async () => {
    await announce(2);
    const begun = await suite.enqueue('a');
    await begin(begun);
    const cancelled = await suite.enqueue('a');
    assert.equal(await mayBegin(cancelled), false);
    await requestCancel(suite.redis.store, cancelled.id);
    assert.equal(await mayBegin(cancelled), true);
    assert.equal(await mayBegin(begun), true);
  });

  it('leaves a job to workers with a slot, unless it is cancelled', async () => {
    const [fresh, begun] = [await suite.enqueue('a'), await suite.enqueue('a')];
    await begin(begun);
    for (const job of [fresh, begun]) {
      assert.equal(await claim(job, { isWorkerFull: true }), 'busy');
      await requestCancel(suite.redis.store, job.id);
      assert.ok((await claim(job, { isWorkerFull: true })) instanceof ProgressLog);
    }
  });

  it("resumes the next project's job in a free, unreserved slot", async () => {
    await announce(2);
    const running = await begin(await suite.enqueue('a'));
    const waiting = await suite.enqueue('a');
    assert.equal(await promoteNext(waiting), null);
    await suite.enqueue('b');
    assert.equal(await promoteNext(waiting), 'b');
    await end(running);
    assert.equal(await promoteNext(waiting), 'b');
  });

  describe('before a long queue', () => {
    const key = (suffix: string) => `{${suite.store.prefix}provisioning}:provisioning:${suffix}`;
    /** The job that a worker receives next. */
    const nextInQueue = async () => (await suite.redis.queue.zrange(key('prioritized'), 0, '0'))[0];

    it('puts the job whose turn it is, which came last', async () => {
      await announce(2);
      const first = await suite.enqueue('a');
      for (let job = 0; job < 5; job += 1) await suite.enqueue('a');
      await begin(first);
      const other = await suite.enqueue('b');
      assert.notEqual(await nextInQueue(), other.id);

      assert.equal(await promoteNext(first), 'b');

      assert.equal(await nextInQueue(), other.id);
    });

    it('puts the job whose turn it is, which was deferred', async () => {
      await announce(2);
      const first = await suite.enqueue('a');
      const deferred = await suite.enqueue('b');
      await suite.redis.queue.zrem(key('prioritized'), deferred.id);
      await suite.redis.queue.zadd(key('delayed'), Date.now() + LIVE_MS, deferred.id);
      await begin(first);
      await suite.enqueue('a');

      assert.equal(await promoteNext(first), 'b');

      assert.equal(await nextInQueue(), deferred.id);
      assert.equal(await suite.redis.queue.zcard(key('delayed')), 0);
    });
  });

  it('compares the oldest jobs of new projects, even after a removal', async () => {
    await announce(1);
    const oldest = await suite.enqueue('a');
    await nextMillisecond();
    const ofB = await suite.enqueue('b');
    await nextMillisecond();
    const ofC = await suite.enqueue('c');
    await nextMillisecond();
    await suite.enqueue('a');
    assert.equal(await promoteNext(ofC), 'a');

    await suite.redis.store.del(`{jobs}:job:${oldest.id}`);

    assert.equal(await promoteNext(ofC), 'b');
    await suite.redis.store.del(`{jobs}:job:${ofB.id}`);
    assert.equal(await promoteNext(ofC), 'c');
  });

  it('compares what waits now of a project that was served long ago', async () => {
    await announce(1);
    const first = await suite.enqueue('a');
    await suite.enqueue('b');
    await promoteNext(first);
    const log = await begin(first);
    await end(log);
    await nextMillisecond();
    await suite.enqueue('a');
    await suite.redis.store.del('{jobs}:served:provisioning');

    assert.equal(await promoteNext(first), 'b');
  });
});

/** Jobs are as old as their time of creation in milliseconds. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise(setImmediate);
}
