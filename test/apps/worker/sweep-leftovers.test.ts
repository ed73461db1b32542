import assert from 'node:assert/strict';
import { jobKeys, sweptJobs } from '@gateway/jobs';
import { createLogger } from '@gateway/platform';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { sweepLeftovers } from '../../../apps/worker/src/maintenance/sweep-leftovers.ts';
import { keepSeconds } from '../../packages/jobs/stored-jobs.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { TestStore } from '../../support/redis/test-redis.ts';

describe('the sweep of leftovers', () => {
  const store = new TestStore();
  after(() => store.close());

  it('continues past a sweep that it cannot read', async () => {
    const redis = await store.connect();
    const log = captureLogLines();
    // Of the job `gone` there is no record, so its sweep ends.
    const sweeps = { newer: '{"form":99}', broken: '{', gone: '{"form":1,"leftovers":1,"searchUntil":0}' };
    await redis.store.hset(jobKeys.sweeps, sweeps);

    await sweepLeftovers({
      config: { jobs: { keepSeconds } },
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, log.stream),
      redis,
      stopping: new AbortController(),
    } as unknown as WorkerContext);

    assert.deepEqual((await sweptJobs(redis.store)).sort(), ['broken', 'newer']);
    const skipped = log.withMessage('Leftovers of a job could not be swept yet');
    assert.deepEqual(skipped.map(({ job_id }) => job_id).sort(), ['broken', 'newer']);
  });
});
