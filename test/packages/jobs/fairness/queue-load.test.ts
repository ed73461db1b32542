import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId, Sealer } from '@gateway/core';
import {
  CredentialStore,
  type JobOwner,
  Producer,
  ProgressLog,
  type QueueLoad,
  Queues,
  readQueueLoads,
  registerSlots,
} from '@gateway/jobs';
import type { RedisConnections } from '@gateway/redis';
import { eventually } from '../../../support/eventually.ts';
import { end, JobStore, keepSeconds } from '../job-store.ts';

describe('the load of a queue', () => {
  let store: JobStore;
  let redis: RedisConnections;
  let queues: Queues;
  let producer: Producer<JobOwner>;

  beforeEach(async () => {
    store = new JobStore();
    redis = await store.connect();
    queues = new Queues(redis.queue, store.prefix);
    const sealer = new Sealer([{ id: 'k1', key: randomBytes(32) }]);
    const credentials = new CredentialStore<JobOwner>(redis.store, sealer);
    producer = new Producer(redis.store, queues, credentials, { waitingLimit: 0 });
  });
  afterEach(async () => {
    await queues.close();
    await store.close();
  });

  async function enqueue(projectId: string): Promise<string> {
    return producer.enqueue({
      type: 'library.build',
      payload: { libraryId: 'l', version: '1' },
      credential: { projectId, userId: 'u1', expiresAt: new Date(Date.now() + 60_000).toISOString() },
      requestId: 'req-1',
    });
  }

  async function begin(id: string, projectId: string): Promise<ProgressLog> {
    const log = await ProgressLog.claim(
      { id, type: 'library.build', projectId },
      { redis: redis.store, keepSeconds },
    );
    assert.ok(log instanceof ProgressLog);
    return log;
  }

  async function load(runningLimit = 0): Promise<QueueLoad> {
    return (await readQueueLoads(redis.store, runningLimit)).provisioning;
  }

  it('is nothing without workers and jobs', async () => {
    const loads = await readQueueLoads(redis.store, 10);

    const none = { workers: 0, slots: 0, wantedSlots: 0, oldestWaitingSeconds: 0 };
    assert.deepEqual(loads, { provisioning: none, cleanup: none, maintenance: none });
  });

  it('counts the live workers and their slots', async () => {
    await registerSlots(redis.store, newId(), new Map([['provisioning', 10]]), 60_000);
    await registerSlots(redis.store, newId(), new Map([['provisioning', 4]]), 60_000);
    await registerSlots(redis.store, newId(), new Map([['provisioning', 7]]), 1);

    await eventually(async () => {
      const { workers, slots } = await load();
      assert.deepEqual({ workers, slots }, { workers: 2, slots: 14 });
      return true;
    });
  });

  it('counts running and waiting jobs, but no parked and ended ones', async () => {
    const [first = '', second = '', third = ''] = [
      await enqueue('p1'),
      await enqueue('p1'),
      await enqueue('p2'),
    ];
    assert.equal((await load()).wantedSlots, 3);

    const parked = await begin(first, 'p1');
    const ended = await begin(second, 'p1');
    await begin(third, 'p2');
    assert.equal((await load()).wantedSlots, 3);

    await parked.releaseSlot();
    await end(ended);
    assert.equal((await load()).wantedSlots, 1);
  });

  it("counts no waiting job above its project's limit", async () => {
    for (let n = 0; n < 4; n += 1) await enqueue('p1');
    await enqueue('p2');
    const running = await enqueue('p1');
    await begin(running, 'p1');

    assert.equal((await load(2)).wantedSlots, 3);
    assert.equal((await load(0)).wantedSlots, 6);
  });

  it('has the age of the oldest job that has not begun', async () => {
    const first = await enqueue('p1');
    await eventually(async () => (await load()).oldestWaitingSeconds > 0.2 || undefined);
    await enqueue('p2');
    const before = (await load()).oldestWaitingSeconds;
    assert.ok(before > 0.2);

    await begin(first, 'p1');

    assert.ok((await load()).oldestWaitingSeconds < before);
  });
});
