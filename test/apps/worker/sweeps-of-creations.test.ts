import assert from 'node:assert/strict';
import { ActivityReaders } from '@gateway/activity';
import { SweepLog } from '@gateway/jobs';
import { createLogger } from '@gateway/platform';
import type { RedisConnections } from '@gateway/store';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import type { JobContext } from '../../../apps/worker/src/jobs/job-context.ts';
import { sagaProcessor } from '../../../apps/worker/src/jobs/saga-processor.ts';
import { RedisJournal, type Step } from '../../../apps/worker/src/saga/index.ts';
import type { ResourceContext } from '../../../apps/worker/src/sagas/resources/resource-step.ts';
import { shareStep } from '../../../apps/worker/src/sagas/resources/share-step.ts';
import { volumeStep } from '../../../apps/worker/src/sagas/resources/volume-step.ts';
import { claim, keepSeconds, queueJob } from '../../packages/jobs/stored-jobs.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { TestStore } from '../../support/redis/test-redis.ts';

interface State {
  id: string;
}

const MINUTE_MS = 60_000;
const config = {
  timeLimits: { shareSeconds: 300, volumeSeconds: 600, volumeCopySeconds: 21_600 },
  jobs: { lateCallSeconds: 1, pollIntervalMs: 1 },
};
const volume = { key: 'id', name: 'volume', title: 'The volume', request: () => ({ name: 'v', size: 1 }) };
const steps: Record<string, Step<ResourceContext, State>> = {
  share: shareStep({
    key: 'id',
    name: 'share',
    markKey: 'job',
    request: () => ({ name: 's', share_proto: 'NFS', size: 1 }),
  }),
  volume: volumeStep({ ...volume, key: 'id' }),
  copy: volumeStep({ ...volume, key: 'id', isCopied: true }),
};

describe('the sweep of a rollback', () => {
  const store = new TestStore();
  let redis: RedisConnections;

  before(async () => {
    redis = await store.connect();
  });
  after(() => store.close());

  /** The calls for a resource that has been in creation for this time, and the longest waits for its end. */
  async function sweep(step: Step<ResourceContext, State>, sinceMs: number) {
    const calls: string[] = [];
    const waits: number[] = [];
    const collection = {
      get: async () => ({ status: 'creating', created_at: new Date(Date.now() - sinceMs).toISOString() }),
      remove: async () => void calls.push('remove'),
      forceDelete: async () => void calls.push('forceDelete'),
    };
    const client = {
      blockStorage: { volumes: collection },
      sharedFileSystem: { shares: collection },
      polls: {
        waitForGone: async (_kind: string, _id: string, { timeoutMs }: { timeoutMs: number }) =>
          void waits.push(timeoutMs),
      },
    };
    const rights = { remover: () => client, forcer: async () => client };
    const processor = sagaProcessor<'instance.create', ResourceContext, State>((job) => ({
      steps: [step],
      context: {
        jobId: job.jobId,
        config: job.worker.config,
        resourceOwner: { removal: async () => rights } as unknown as ResourceContext['resourceOwner'],
      },
      message: (update) => update,
      completed: 'Done.',
      writes: [],
    }));
    const jobId = await queueJob(redis.store);
    const journal = new RedisJournal(redis.store, await claim(redis.store, jobId));
    await journal.write(step.name, { phase: 'done', result: { id: 'r1' } });
    await journal.startRollback({ status: 409, code: 'cancelled', detail: 'The job was cancelled.' });
    const logger = createLogger(
      { level: 'debug', format: 'json', service: 'worker' },
      captureLogLines().stream,
    );
    const worker = {
      config,
      redis,
      activity: new ActivityReaders([], logger),
      metrics: { stepFinished() {} },
      tracing: null,
      stopping: new AbortController(),
    } as unknown as WorkerContext;
    const job = { worker, jobId, type: 'instance.create', projectId: 'p1', logger };
    const log = new SweepLog(jobId, { redis: redis.store, keepSeconds });
    const outcome = await processor.sweep?.(job as unknown as JobContext<'instance.create'>, log);
    assert.deepEqual(outcome?.leftovers, []);
    return { calls, waits };
  }

  for (const [kind, healthyMinutes, stuckMinutes] of [
    ['share', 4, 6],
    ['volume', 9, 11],
    ['copy', 359, 361],
  ] as const) {
    const step = steps[kind];
    if (step === undefined) throw new Error(`There is no ${kind}.`);

    it(`forces no deletion while the creation is in time: ${kind}`, async () => {
      const { calls, waits } = await sweep(step, healthyMinutes * MINUTE_MS);

      assert.deepEqual(calls, ['remove']);
      assert.ok(waits.every((timeoutMs) => timeoutMs <= 5_000));
    });

    it(`forces the deletion of what is stuck in creation: ${kind}`, async () => {
      const { calls } = await sweep(step, stuckMinutes * MINUTE_MS);

      assert.deepEqual(calls, ['forceDelete']);
    });
  }
});
