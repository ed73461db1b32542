import assert from 'node:assert/strict';
import { type QueuedJob, Queues, queuePrefix, readQueueEntries } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/store';
import { type Job, Worker } from 'bullmq';
import { eventually } from '../../../support/eventually.ts';
import { TestStore } from '../../../support/redis/test-redis.ts';

const EVERY_MS = 60;

describe('scheduled tasks', () => {
  const store = new TestStore();
  let redis: RedisConnections;
  let queues: Queues;

  before(async () => {
    redis = await store.connect();
    queues = new Queues(redis.queue, store.prefix);
  });

  after(async () => {
    await queues.close();
    await store.close();
  });

  it('do not start a second run while one is in progress', async () => {
    const running: Job[] = [];
    const done = Promise.withResolvers<void>();
    const worker = new Worker(
      'maintenance',
      async (job) => {
        running.push(job);
        await done.promise;
      },
      { connection: redis.queue, prefix: queuePrefix(store.prefix, 'maintenance'), concurrency: 3 },
    );
    try {
      await queues.schedule('maintenance', 'one', EVERY_MS);
      const [first, second] = await eventually(async () => {
        const [one, other] = running;
        return one === undefined || other === undefined ? undefined : [one, other];
      });
      assert.equal(await queues.isEarlierEntryRunning('maintenance', first), false);
      assert.equal(await queues.isEarlierEntryRunning('maintenance', second), true);
      assert.equal(await queues.isEarlierEntryRunning('maintenance', { ...second, name: 'another' }), false);
    } finally {
      done.resolve();
      await worker.close();
    }
  });

  describe('in the queue', () => {
    const MINUTE_MS = 60_000;
    const key = (name: string) => `${queuePrefix(store.prefix, 'maintenance')}:maintenance:${name}`;
    const entryOf = async (name: string) => {
      const queue = await queues.open('maintenance');
      return `repeat:${name}:${(await queue.getJobScheduler(name))?.next}`;
    };
    beforeEach(async () => {
      await (await queues.open('maintenance')).obliterate({ force: true });
      await redis.queue.del(key('repeat'));
    });

    it('are written once, and keep their place while they wait', async () => {
      const queue = await queues.open('maintenance');

      assert.equal(await queues.schedule('maintenance', 'one', MINUTE_MS), true);
      await queue.add('another', {});
      assert.equal(await queues.schedule('maintenance', 'one', MINUTE_MS), false);

      assert.deepEqual(
        (await queue.getWaiting()).map(({ name }) => name),
        ['one', 'another'],
      );
    });

    it('come before all jobs, whichever waited first', async () => {
      const job = {
        type: 'session.prefill',
        payload: {},
        credentialHandle: 'h',
        requestId: 'r',
        projectId: 'p',
      };
      for (const id of ['j1', 'j2', 'j3']) await queues.add(id, job as QueuedJob, { priority: 2 });
      await queues.schedule('maintenance', 'one', MINUTE_MS);
      await queues.makeReady('maintenance', 'j3', 1);
      const waiting = await readQueueEntries(queues, 'maintenance', 'waiting', [0, 9]);
      const pages = await Promise.all(
        [0, 2].map((at) => readQueueEntries(queues, 'maintenance', 'waiting', [at, at + 1])),
      );
      const received: string[] = [];
      const worker = new Worker(
        'maintenance',
        async ({ id = '', name }) => void received.push(name === 'one' ? name : id),
        { connection: redis.queue, prefix: queuePrefix(store.prefix, 'maintenance') },
      );

      await eventually(async () => received.length === 4);
      await worker.close();

      assert.deepEqual(received, ['one', 'j3', 'j1', 'j2']);
      assert.deepEqual(waiting.map(({ name }) => name).sort(), ['one', ...Array(3).fill(job.type)]);
      assert.deepEqual(
        pages.flat().map(({ id }) => id),
        waiting.map(({ id }) => id),
      );
    });

    it('are written again with another interval', async () => {
      await queues.schedule('maintenance', 'one', MINUTE_MS);

      assert.equal(await queues.schedule('maintenance', 'one', 2 * MINUTE_MS), true);

      const queue = await queues.open('maintenance');
      assert.equal((await queue.getJobScheduler('one'))?.every, 2 * MINUTE_MS);
    });

    it('are written again after a clock that was ahead planned them', async () => {
      const queue = await queues.open('maintenance');
      const startDate = Date.now() + 9 * 3_600_000;
      await queue.upsertJobScheduler('one', { every: MINUTE_MS, startDate }, { name: 'one' });

      assert.equal(await queues.schedule('maintenance', 'one', MINUTE_MS), true);

      const { next = 0 } = (await queue.getJobScheduler('one')) ?? {};
      assert.ok(next <= Date.now() + MINUTE_MS, `in ${next - Date.now()} ms`);
      assert.equal(await queue.getDelayedCount(), 0);
      assert.equal(await queues.schedule('maintenance', 'one', MINUTE_MS), false);
    });

    for (const [what, lost] of [
      ['everything', async () => [...(await redis.queue.keys(key('*')))]],
      ['the next entry', async () => [key(await entryOf('one')), key('wait'), key('delayed')]],
      ['the place of the next entry', async () => [key('wait'), key('delayed')]],
    ] as const) {
      it(`are written again when Redis has lost ${what}`, async () => {
        await queues.schedule('maintenance', 'one', MINUTE_MS);
        await redis.queue.del(...(await lost()));

        assert.equal(await queues.schedule('maintenance', 'one', MINUTE_MS), true);

        assert.ok(await queues.has('maintenance', await entryOf('one')));
        assert.equal(await queues.schedule('maintenance', 'one', MINUTE_MS), false);
      });
    }
  });
});
