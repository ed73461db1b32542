import assert from 'node:assert/strict';
import { ActivityReaders } from '@gateway/activity';
import { runInProgress, startDueRun, startRunNow } from '@gateway/auto-backup';
import { formatStored, newId, storedForms } from '@gateway/core';
import { type JobPayload, jobKeys, type Leftover, ProgressLog, readQueued } from '@gateway/jobs';
import { createLogger } from '@gateway/platform';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import type { JobRun } from '../../../apps/worker/src/jobs/processor.ts';
import { revokeUnusedDelegations } from '../../../apps/worker/src/maintenance/revoke-unused-delegations.ts';
import { autoBackup } from '../../../apps/worker/src/processors/auto-backup.ts';
import { BackupsInRedis } from '../../packages/auto-backup/backups-in-redis.ts';
import { testCloud } from '../../packages/openstack/cloud.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';

const HOUR_MS = 3_600_000;

describe('the outcome of an auto backup', () => {
  let world: BackupsInRedis;
  let opened: Awaited<ReturnType<BackupsInRedis['open']>>;
  let id: string;
  beforeEach(async () => {
    world = new BackupsInRedis();
    // Set up in the past, so that a due time has been missed since.
    world.clock.ms = Date.now() - 5 * HOUR_MS;
    opened = await world.open();
    id = (await world.setUp(opened)) ?? '';
  });
  afterEach(() => world.store.close());

  async function startNow(): Promise<void> {
    const configuration = await opened.store.read(id);
    assert.ok(configuration);
    const owner = { ...world.identity, projectId: 'p1' };
    await startRunNow(opened, configuration, { jobId: newId(), owner, requestId: 'req-1' });
  }

  async function startDue(): Promise<void> {
    const settings = { spreadSeconds: 0, runningLimit: 0 };
    assert.equal(await startDueRun({ ...opened, redis: opened.redis.store, settings }, id), 'started');
  }

  /** Lets the run in progress fail before its first step. */
  async function fail(detail: string): Promise<void> {
    const redis = opened.redis.store;
    const record = await runInProgress({ redis, queues: opened.queues }, id);
    assert.ok(record);
    const log = await ProgressLog.claim(record, { redis, keepSeconds: 600 });
    assert.ok(log instanceof ProgressLog);
    const queued = await readQueued(redis, record.id);
    const logger = createLogger(
      { level: 'debug', format: 'json', service: 'worker' },
      captureLogLines().stream,
    );
    const worker = {
      config: {
        timeLimits: { stepRetrySeconds: 0, undoSeconds: 1 },
        jobs: { lateCallSeconds: 1, recheckSeconds: 1 },
      },
      redis: opened.redis,
      openstack: testCloud().openstack,
      autoBackups: opened,
      activity: new ActivityReaders([], logger),
      tracing: null,
      stopping: new AbortController(),
    } as unknown as WorkerContext;
    await autoBackup.run({
      worker,
      jobId: record.id,
      type: 'volume.auto-backup',
      payload: queued?.payload as JobPayload<'volume.auto-backup'>,
      projectId: record.projectId,
      call: { requestId: 'req-1' },
      log,
      logger,
      abortReason: { status: 500, code: 'internal', detail },
    } as unknown as JobRun<'volume.auto-backup'>);
  }

  it('is that of a due run that began after one by hand', async () => {
    await startNow();
    await fail('By hand.');

    await startDue();
    await fail('When due.');

    assert.equal((await opened.store.read(id))?.last?.error, 'When due.');
  });

  it('revokes no delegation with which something is still swept', async () => {
    await startNow();
    const redis = opened.redis.store;
    const { id: sweptId = '' } = (await runInProgress({ redis, queues: opened.queues }, id)) ?? {};
    const queued = (await redis.hget(jobKeys.record(sweptId), 'queued')) ?? '';
    await fail('Something was left.');
    await redis.hset(jobKeys.record(sweptId), { queued });
    const leave = async (leftovers: Leftover[]) => {
      const sweep = { leftovers: leftovers.length, searchUntil: 0 };
      await redis.hset(jobKeys.record(sweptId), { leftovers: JSON.stringify(leftovers) });
      await redis.hset(jobKeys.sweeps, sweptId, formatStored(storedForms.sweep, sweep));
    };
    await leave([{ type: 'backup', id: 'b1', reason: 'It is still there.' }]);
    await startNow();
    await opened.store.remove('p1', 'v1');

    await fail('It was cancelled.');
    assert.equal(world.trusts.ids.length, 1);

    await leave([]);
    await revokeUnusedDelegations({
      ...opened,
      autoBackups: opened,
      config: { jobs: { lateCallSeconds: 60, recheckSeconds: 60 } },
      serviceAccount: { isConfigured: true },
    } as unknown as WorkerContext);
    assert.equal(world.trusts.ids.length, 0);
  });

  it('revokes the delegation of a removed one at its end', async () => {
    await startNow();
    await opened.store.remove('p1', 'v1');

    await fail('It was cancelled.');

    assert.equal(world.trusts.ids.length, 0);
  });
});
