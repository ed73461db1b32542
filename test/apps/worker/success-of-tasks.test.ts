import assert from 'node:assert/strict';
import { jobKeys } from '@gateway/jobs';
import { type Config, createLogger } from '@gateway/platform';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { runScheduledTask } from '../../../apps/worker/src/maintenance/scheduled-tasks.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { TestStore } from '../../support/redis/test-redis.ts';

const AHEAD_MS = 9 * 3_600_000;

describe('the success of a scheduled task', () => {
  const store = new TestStore();

  after(() => store.close());

  it('has the time of the store, whatever clock the worker has', async () => {
    const redis = await store.connect();
    const context = {
      config: { jobs: { lockSeconds: 2 } } as Config,
      redis,
      logger: createLogger({ level: 'error', format: 'json', service: 'worker' }, captureLogLines().stream),
      stopping: new AbortController(),
    } as WorkerContext;
    const { now } = Date;
    Date.now = () => now() + AHEAD_MS;
    try {
      await runScheduledTask(context, 'maintenance.restore');
    } finally {
      Date.now = now;
    }

    const recordedAt = Number(await redis.store.hget(jobKeys.taskSuccesses, 'maintenance.restore'));
    assert.ok(Math.abs(recordedAt - now()) < 60_000, String(recordedAt));
  });
});
