import assert from 'node:assert/strict';
import { ActivityReaders } from '@gateway/activity';
import { type JobFailure, jobKeys, parseOutboxEntry, readJob, readOutbox } from '@gateway/jobs';
import { createLogger } from '@gateway/platform';
import type { RedisConnections } from '@gateway/store';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import type { JobRun } from '../../../apps/worker/src/jobs/processor.ts';
import { sagaProcessor } from '../../../apps/worker/src/jobs/saga-processor.ts';
import { claim, queueJob } from '../../packages/jobs/stored-jobs.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { TestStore } from '../../support/redis/test-redis.ts';

describe('a job that runs a saga', () => {
  const store = new TestStore();
  let redis: RedisConnections;
  let made: number;
  let problem: string | null;

  const processor = sagaProcessor<'instance.create', object, { id?: string }>(() => ({
    steps: [{ name: 'only', run: async () => ({ id: `made-${++made}` }) }],
    context: {},
    message: ({ step, progress, message }) => ({ step, progress, message }),
    completed: 'Done.',
    problem: () => problem,
    writes: [],
  }));

  before(async () => {
    redis = await store.connect();
  });
  beforeEach(() => {
    made = 0;
    problem = null;
  });
  after(() => store.close());

  /** Runs a job whose record has this reason to roll back, and returns its record. */
  async function run(abortReason: JobFailure | null, type = 'instance.create') {
    const jobId = await queueJob(redis.store);
    const options = { level: 'debug', format: 'json', service: 'worker' } as const;
    const logger = createLogger(options, captureLogLines().stream);
    const worker = {
      config: { timeLimits: { stepRetrySeconds: 0, undoSeconds: 1 }, jobs: { lateCallSeconds: 1 } },
      redis,
      activity: new ActivityReaders([], logger),
      metrics: { stepFinished() {} },
      tracing: null,
      stopping: new AbortController(),
    } as unknown as WorkerContext;
    await processor.run({
      worker,
      jobId,
      type,
      projectId: 'p1',
      log: await claim(redis.store, jobId),
      logger,
      abortReason,
    } as unknown as JobRun<'instance.create'>);
    return readJob(redis.store, jobId);
  }

  it('fails with its reason to roll back, without any step', async () => {
    const reason = { status: 503, code: 'store_unavailable', detail: 'The job was lost.' };

    const job = await run(reason);

    assert.deepEqual([job?.status, job?.failure, made], ['failed', reason, 0]);
    assert.deepEqual([job?.step, job?.progress], ['FAILED', -1]);
  });

  it('completes without such a reason', async () => {
    const job = await run(null);

    assert.deepEqual([job?.status, job?.failure, made], ['completed', null, 1]);
    assert.deepEqual([job?.step, job?.progress], ['COMPLETED', 100]);
  });

  it('names the last steps of clusters in lower case', async () => {
    const reason = { status: 503, code: 'store_unavailable', detail: 'The job was lost.' };

    const jobs = [await run(null, 'lite.create'), await run(reason, 'lite.create')];

    assert.deepEqual(
      jobs.map((job) => job?.step),
      ['completed', 'failed'],
    );
  });

  it('completes with a problem, of which the outbox learns', async () => {
    problem = 'The volume was not found.';
    await redis.store.del(jobKeys.outbox);

    const job = await run(null);

    assert.equal(job?.status, 'completed');
    const entries = (await readOutbox(redis.store, 10)).map(({ text }) => parseOutboxEntry(text));
    assert.deepEqual(
      entries.map((entry) => [entry.jobId, entry.problem]),
      [[job?.id, problem]],
    );
  });
});
