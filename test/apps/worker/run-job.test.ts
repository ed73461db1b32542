import assert from 'node:assert/strict';
import { holdJob, jobKeys, type QueuedJob, Queues, readEvents, readJob } from '@gateway/jobs';
import { type Config, createLogger } from '@gateway/platform';
import type { RedisConnections } from '@gateway/store';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { runJob } from '../../../apps/worker/src/queues/run-job.ts';
import { SuspectRuns } from '../../../apps/worker/src/suspect-runs.ts';
import { claim, message, queueJob } from '../../packages/jobs/stored-jobs.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { TestStore } from '../../support/redis/test-redis.ts';

const queued: QueuedJob = {
  type: 'instance.create',
  payload: {},
  credentialHandle: null,
  requestId: 'req-1',
  projectId: 'p1',
};

describe('a worker that receives a job', () => {
  const store = new TestStore();
  let redis: RedisConnections;
  let queues: Queues;
  let jobId: string;
  let log: ReturnType<typeof captureLogLines>;

  before(async () => {
    redis = await store.connect();
    queues = new Queues(redis.queue, store.prefix);
  });
  after(async () => {
    await queues.close();
    await store.close();
  });
  beforeEach(async () => {
    jobId = await queueJob(redis.store);
    log = captureLogLines();
  });

  function workerWith(suspectRuns: SuspectRuns): WorkerContext {
    return {
      config: {
        history: { keepSeconds: 60, maxRecords: 10 },
        jobs: { projectUnsuccessfulLimit: 0, keepSeconds: 60, maxLostRuns: 3 },
      } as Config,
      redis,
      queues,
      suspectRuns,
      storeUse: { args: { process: '', renewedAt: 0, oldAfterMs: 0 } },
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, log.stream),
    } as unknown as WorkerContext;
  }

  async function run(worker: WorkerContext): Promise<number> {
    const result = await runJob(worker, jobId, queued);
    assert.ok('delayMs' in result, 'the job has ended');
    return result.delayMs;
  }

  it('does not run two at a time that may end it', async () => {
    await redis.store.hset(jobKeys.record(jobId), { lostRuns: 1, openRun: 'earlier' });
    const suspectRuns = new SuspectRuns();
    assert.ok(suspectRuns.begin());

    const deferral = await run(workerWith(suspectRuns));

    const job = await readJob(redis.store, jobId);
    assert.ok(deferral > 0);
    assert.deepEqual([job?.runs, job?.lostRuns, job?.hold], [0, 1, null]);
  });

  it('holds the one whose runs were lost, and says so once', async () => {
    await (await claim(redis.store, jobId)).publish(message(3));
    await redis.store.hset(jobKeys.record(jobId), { lostRuns: 2 });
    const suspectRuns = new SuspectRuns();

    const first = await run(workerWith(suspectRuns));
    const second = await run(workerWith(suspectRuns));

    const job = await readJob(redis.store, jobId);
    assert.deepEqual([job?.hold?.reason, job?.lostRuns, job?.runs], ['lost_runs', 3, 1]);
    assert.ok(first > 60_000 && second === first);
    const lines = log
      .text()
      .split('\n')
      .filter((line) => line.includes('A job is held'));
    assert.equal(lines.length, 1);
    assert.ok(lines[0]?.includes(jobId));
    assert.equal((await readEvents(redis.store, jobId, 0)).length, 2);
    assert.ok(suspectRuns.begin(), 'another one may run');
  });

  it('leaves alone what an administrator holds', async () => {
    const record = await readJob(redis.store, jobId);
    assert.ok(record && (await holdJob(redis.store, record)));

    const deferral = await run(workerWith(new SuspectRuns()));

    assert.ok(deferral > 60_000);
    assert.equal((await readJob(redis.store, jobId))?.status, 'queued');
  });
});
