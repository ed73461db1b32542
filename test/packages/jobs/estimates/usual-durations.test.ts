import assert from 'node:assert/strict';
import { formatStored, storedForms } from '@gateway/core';
import { jobKeys, presentJob, readJob, UsualDurations } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { append, claim, end, message, queueJob } from '../stored-jobs.ts';

const TYPE = 'instance.create';

describe('UsualDurations', () => {
  const store = new TestStore();
  let redis: Redis;

  before(async () => {
    redis = (await store.connect()).store;
  });

  after(() => store.close());

  beforeEach(() => redis.del(jobKeys.durations(TYPE)));

  const remember = (...jobs: object[]) =>
    redis.rpush(jobKeys.durations(TYPE), ...jobs.map((job) => formatStored(storedForms.jobDurations, job)));

  it('are those of jobs that completed', async () => {
    const done = await claim(redis, await queueJob(redis));
    await append(done, 1, 2);
    await end(done);
    const failed = await claim(redis, await queueJob(redis));
    await append(failed, 3, 3);
    const failure = { status: 500, code: 'internal_error', detail: 'It failed.' };
    await failed.end({ step: 'FAILED', progress: -1, message: 'It failed.' }, { status: 'failed', failure });

    const usual = await UsualDurations.read(redis, TYPE);

    assert.deepEqual(
      ['STEP_1', 'STEP_2', 'STEP_3', 'COMPLETED'].map((step) => usual.of(step) !== null),
      [true, true, false, false],
    );
  });

  it('are medians, of which entries in a newer form are no part', async () => {
    const job = (ms: number) => ({
      steps: [
        ['A', ms],
        ['B', 2 * ms],
      ],
    });
    await remember(job(10), job(1_000), { form: 2, steps: 'other' }, job(20));

    const usual = await UsualDurations.read(redis, TYPE);

    assert.deepEqual(usual.of('A'), { stepMs: 20, afterMs: 40 });
    await remember(job(30));
    assert.deepEqual((await UsualDurations.read(redis, TYPE)).of('A'), { stepMs: 25, afterMs: 50 });
  });

  it('are those of the last 20 jobs', async () => {
    for (let n = 0; n < 22; n++) {
      const log = await claim(redis, await queueJob(redis));
      await log.publish(message(n));
      await end(log);
    }

    assert.equal(await redis.llen(jobKeys.durations(TYPE)), 20);
    const usual = await UsualDurations.read(redis, TYPE);
    assert.deepEqual(
      [1, 2, 21].map((n) => usual.of(`STEP_${n}`) !== null),
      [false, true, true],
    );
  });

  it('move the bar of a job, which another run continues', async () => {
    await remember({
      steps: [
        ['STEP_1', 3_600_000],
        ['STEP_2', 3_600_000],
      ],
    });
    const jobId = await queueJob(redis);
    const first = await claim(redis, jobId);
    first.continueBar({ bar: null, heldMs: 0 }, await UsualDurations.read(redis, TYPE));
    await first.publish(message(1));

    const second = await claim(redis, jobId);
    const record = await readJob(redis, jobId);
    assert.ok(record);
    second.continueBar(record, await UsualDurations.read(redis, TYPE));
    await second.publish(message(2));

    const continued = await readJob(redis, jobId);
    assert.ok(record?.bar && continued?.bar);
    const half = presentJob(record, record.bar.since + 1_800_000);
    assert.deepEqual([half.estimated_progress, half.estimated_step_progress], [25, 50]);
    assert.deepEqual([continued.bar.from, continued.bar.step], [50, 'STEP_2']);
    assert.equal(presentJob(continued, 0).estimated_progress, 50);
  });
});
