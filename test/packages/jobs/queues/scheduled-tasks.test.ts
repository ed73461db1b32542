import assert from 'node:assert/strict';
import { Queues, queuePrefix } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/redis';
import { type Job, Worker } from 'bullmq';
import { eventually } from '../../../support/eventually.ts';
import { JobStore } from '../job-store.ts';

const EVERY_MS = 60;

describe('scheduled tasks', () => {
  const store = new JobStore();
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
});
