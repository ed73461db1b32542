import assert from 'node:assert/strict';
import { newId } from '@gateway/core';
import { type ClaimedJob, ProgressLog, type QueueLoad, readQueueLoads, registerSlots } from '@gateway/jobs';
import { eventually } from '../../../support/eventually.ts';
import { end, keepSeconds } from '../stored-jobs.ts';
import { queueSuite } from './queue-suite.ts';

describe('the load of a queue', () => {
  const suite = queueSuite();

  async function begin(job: ClaimedJob): Promise<ProgressLog> {
    const log = await ProgressLog.claim(job, { redis: suite.redis.store, keepSeconds });
    assert.ok(log instanceof ProgressLog);
    return log;
  }

  async function load(): Promise<QueueLoad> {
    return (await readQueueLoads(suite.redis.store)).provisioning;
  }

  it('is nothing without workers and jobs', async () => {
    const loads = await readQueueLoads(suite.redis.store);

    const none = { workers: 0, slots: 0, wantedSlots: 0, oldestWaitingSeconds: 0 };
    assert.deepEqual(loads, { provisioning: none, cleanup: none, maintenance: none });
  });

  it('counts the live workers and their slots', async () => {
    await registerSlots(suite.redis.store, newId(), new Map([['provisioning', 10]]), 60_000);
    await registerSlots(suite.redis.store, newId(), new Map([['provisioning', 4]]), 60_000);
    await registerSlots(suite.redis.store, newId(), new Map([['provisioning', 7]]), 1);

    await eventually(async () => {
      const { workers, slots } = await load();
      assert.deepEqual({ workers, slots }, { workers: 2, slots: 14 });
      return true;
    });
  });

  it('counts running and waiting jobs, but no parked and ended ones', async () => {
    const first = await suite.enqueue('p1');
    const second = await suite.enqueue('p1');
    const third = await suite.enqueue('p2');
    assert.equal((await load()).wantedSlots, 3);

    const parked = await begin(first);
    const ended = await begin(second);
    await begin(third);
    assert.equal((await load()).wantedSlots, 3);

    await parked.releaseSlot();
    await end(ended);
    assert.equal((await load()).wantedSlots, 1);
  });

  it('is known while the store takes no writes', async () => {
    const { store } = suite.redis;
    await suite.enqueue('p1');
    const reads = ['time', 'zrange', 'zcard'] as const;
    const readOnly = Object.fromEntries(reads.map((name) => [name, store[name].bind(store)]));

    const { provisioning } = await readQueueLoads(readOnly as unknown as typeof store);

    assert.equal(provisioning.wantedSlots, 1);
  });

  it("counts no waiting job above its project's limit", async () => {
    await suite.restart(2);
    for (let n = 0; n < 4; n += 1) await suite.enqueue('p1');
    await suite.enqueue('p2');
    await suite.begin();

    assert.equal((await load()).wantedSlots, 3);
  });

  it('has the age of the oldest job that has not begun', async () => {
    const first = await suite.enqueue('p1');
    await eventually(async () => (await load()).oldestWaitingSeconds > 0.2);
    await suite.enqueue('p2');
    const before = (await load()).oldestWaitingSeconds;
    assert.ok(before > 0.2);

    await begin(first);

    assert.ok((await load()).oldestWaitingSeconds < before);
  });
});
