import assert from 'node:assert/strict';
import { formatStored, storedForms } from '@gateway/core';
import {
  type ClaimedJob,
  jobKeys,
  ProgressLog,
  queuedEnds,
  readJob,
  registerSlots,
  UsualDurations,
} from '@gateway/jobs';
import { queueSuite } from '../fairness/queue-suite.ts';
import { end, keepSeconds, message } from '../stored-jobs.ts';

describe('the ends of queued jobs', () => {
  const suite = queueSuite();

  async function ends(jobs: ClaimedJob[], now = Date.now()): Promise<(number | null)[]> {
    const { store } = suite.redis;
    const records = (await Promise.all(jobs.map(({ id }) => readJob(store, id)))).filter(
      (job) => job !== null,
    );
    const found = await queuedEnds(store, records, { now, runningLimits: suite.queues.runningLimits });
    return jobs.map(({ id }) => {
      const time = found.get(id);
      return time === undefined ? null : Math.round((time - now) / 1000);
    });
  }

  const usual = (...jobs: object[]) =>
    suite.redis.store.rpush(
      jobKeys.durations('library.build'),
      ...jobs.map((job) => formatStored(storedForms.jobDurations, { heldMs: 60_000, ...job })),
    );

  const workers = (slots: number) =>
    registerSlots(suite.redis.store, 'w1', new Map([['provisioning', slots]]), 60_000);

  async function begin(job: ClaimedJob): Promise<ProgressLog> {
    const log = await ProgressLog.claim(job, { redis: suite.redis.store, keepSeconds });
    assert.ok(log instanceof ProgressLog);
    return log;
  }

  it('are unknown without workers or durations', async () => {
    const job = await suite.enqueue('p1');
    assert.deepEqual(await ends([job]), [null]);
    await workers(1);
    assert.deepEqual(await ends([job]), [null]);
    await usual({ steps: [['A', 60_000]] });

    assert.deepEqual(await ends([job]), [60]);
  });

  it('follow the jobs before them, which hold a slot', async () => {
    await workers(1);
    await usual({ steps: [['A', 60_000]], heldMs: 5_000 });
    const jobs = [await suite.enqueue('p1'), await suite.enqueue('p1'), await suite.enqueue('p1')];

    assert.deepEqual(await ends(jobs), [60, 65, 70]);
  });

  it('follow the jobs that run, and not those that are parked', async () => {
    await workers(1);
    await usual({ steps: [['A', 60_000]] });
    const first = await begin(await suite.enqueue('p1'));
    const job = await suite.enqueue('p2');
    assert.deepEqual(await ends([job]), [120]);

    await first.releaseSlot();

    assert.deepEqual(await ends([job]), [60]);
  });

  it('follow the jobs of the project above its limit', async () => {
    await suite.restart(2);
    await workers(10);
    await usual({ steps: [['A', 60_000]] });
    const jobs = [];
    for (let n = 0; n < 4; n += 1) jobs.push(await suite.enqueue('p1'));

    assert.deepEqual(await ends(jobs), [60, 60, 90, 120]);
  });

  it('are kept with how long a job has held its slots', async () => {
    const job = await suite.enqueue('p1');
    const first = await begin(job);
    first.continueBar({ bar: null, heldMs: 0 }, new UsualDurations());
    await first.publish(message(1));
    await first.releaseSlot();
    const record = await readJob(suite.redis.store, job.id);
    assert.ok(record);
    const second = await begin(job);
    second.continueBar({ ...record, heldMs: 7_000 }, new UsualDurations());
    await end(second);

    const [entry] = await suite.redis.store.lrange(jobKeys.durations('library.build'), 0, 0);
    const { heldMs } = JSON.parse(entry ?? '{}');
    assert.ok(record.heldMs < 5_000 && heldMs >= 7_000 && heldMs < 12_000, `${record.heldMs}, ${heldMs}`);
  });
});
