import assert from 'node:assert/strict';
import { Queues, readTaskStates, scheduledTaskNames } from '@gateway/jobs';
import { createLogger } from '@gateway/platform';
import type { RedisConnections } from '@gateway/store';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { keepTasksScheduled } from '../../../apps/worker/src/maintenance/keep-tasks-scheduled.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { configOf } from '../../support/api/settings.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRedis, freshKeyPrefix, testRedisUrl } from '../../support/redis/test-redis.ts';

const AUDIT = 'maintenance.audit-stream';
/** In the order of their names, as those of the queue below. */
const others = scheduledTaskNames.filter((name) => name !== AUDIT);

describe('the scheduled tasks', () => {
  const logger = createLogger({ level: 'debug', format: 'json', service: 'test' }, captureLogLines().stream);
  const redisUrl = testRedisUrl();
  let redis: RedisConnections;
  let queues: Queues;

  beforeEach(async () => {
    const keyPrefix = freshKeyPrefix();
    redis = await connectRedis({ keyPrefix });
    queues = new Queues(redis.queue, keyPrefix);
  });

  afterEach(async () => {
    await queues.close();
    await redis.close();
  });

  /** What a worker with this receiver schedules, and what an api expects to run. */
  async function tasksWith(url: string | null, expected: readonly string[]): Promise<void> {
    const config = configOf({ redisUrl, keyPrefix: '', settings: { audit: { stream: { url } } } });
    const stopping = new AbortController();
    const worker = { config, queues, redis, logger, stopping } as unknown as WorkerContext;
    const schedule = keepTasksScheduled(worker);
    await eventually(async () => {
      const schedulers = await (await queues.open('maintenance')).getJobSchedulers();
      assert.deepEqual(schedulers.map(({ name }) => name).sort(), [...expected]);
      return true;
    });
    schedule.close();
    assert.deepEqual(Object.keys(await readTaskStates(redis.store, config)), [...expected]);
  }

  it('have that of the audit stream only with a receiver', async () => {
    await tasksWith(null, others);
    await tasksWith('https://audit.example.org/events', scheduledTaskNames);
    await tasksWith(null, others);
  });
});
