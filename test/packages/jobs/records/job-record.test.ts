import assert from 'node:assert/strict';
import {
  hasEnded,
  isCancelRequested,
  type JobRecord,
  jobKeys,
  noEstimate,
  presentJob,
  readJob,
  requestCancel,
  toHash,
} from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { keysOfReplicatedWrites } from '../../../support/redis/replicated-writes.ts';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { claim, end, queueJob } from '../stored-jobs.ts';

const full: JobRecord = {
  id: 'job-full',
  type: 'instance.create',
  projectId: 'p1',
  userId: 'u1',
  userName: 'demo',
  requestId: 'req-1',
  status: 'failed',
  isRollingBack: true,
  step: 'FAILED',
  progress: -1,
  message: 'The quota is exceeded.',
  heldMs: 0,
  bar: { step: 'FAILED', since: 1, from: 20, to: 45, usual: { stepMs: 5, afterMs: 6 }, earlier: [['A', 7]] },
  resourceId: 'server-1',
  resourceName: 'web-1',
  resourceType: 'instance',
  failure: { status: 409, code: 'quota_exceeded', detail: 'The quota is exceeded.' },
  leftovers: [{ type: 'volume', id: 'v1', reason: 'It is in use.' }],
  abortReason: null,
  cancelRequested: true,
  hold: null,
  runs: 0,
  lostRuns: 0,
  faults: 0,
  isCommitting: false,
  createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  startedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  updatedAt: Date.UTC(2026, 0, 2, 3, 4, 6),
};
const bare: JobRecord = {
  ...full,
  id: 'job-bare',
  userName: null,
  status: 'queued',
  isRollingBack: false,
  step: null,
  progress: 0,
  bar: null,
  resourceId: null,
  resourceName: null,
  resourceType: null,
  startedAt: null,
  failure: null,
  leftovers: [],
  abortReason: null,
  cancelRequested: false,
};

describe('job records', () => {
  const store = new TestStore();
  let redis: Redis;

  before(async () => {
    redis = (await store.connect()).store;
  });

  after(() => store.close());

  it('are read as they were written', async () => {
    for (const record of [full, bare]) {
      const { createdAt, startedAt, updatedAt } = record;
      const times = { createdAt, updatedAt, ...(startedAt !== null && { startedAt }) };
      await redis.hset(jobKeys.record(record.id), { ...toHash(record), ...times });
      assert.deepEqual(await readJob(redis, record.id), record);
    }
    assert.equal(await readJob(redis, 'nobody'), null);
  });

  it('show a rollback only while the job runs', () => {
    const states = (['queued', 'running', 'failed', 'cancelled'] as const).map((status) =>
      [full, bare].map((record) => presentJob({ ...record, status }, 0).state),
    );

    assert.deepEqual(states, [
      ['queued', 'queued'],
      ['rolling_back', 'running'],
      ['failed', 'failed'],
      ['cancelled', 'cancelled'],
    ]);
  });

  it('have the documented fields', () => {
    assert.deepEqual(presentJob(full, 0), {
      id: 'job-full',
      type: 'instance.create',
      status: 'failed',
      state: 'failed',
      step: 'FAILED',
      progress: -1,
      message: 'The quota is exceeded.',
      resource_type: 'instance',
      resource_id: 'server-1',
      resource_name: 'web-1',
      user_id: 'u1',
      user_name: 'demo',
      error: 'The quota is exceeded.',
      errors: [],
      leftovers: [{ type: 'volume', id: 'v1', reason: 'It is in use.' }],
      created_at: '2026-01-02T03:04:05Z',
      started_at: '2026-01-02T03:04:05Z',
      updated_at: '2026-01-02T03:04:06Z',
      ended_at: '2026-01-02T03:04:06Z',
      ...noEstimate,
    });
    const { step, resource_id, error, leftovers, started_at, ended_at } = presentJob(bare, 0);
    assert.deepEqual([step, resource_id, error, leftovers], [null, null, null, []]);
    assert.deepEqual([started_at, ended_at], [null, null]);
  });

  it('have ended when completed, failed or cancelled', () => {
    const ended = (['queued', 'running', 'completed', 'failed', 'cancelled'] as const).map((status) =>
      hasEnded({ ...bare, status }),
    );
    assert.deepEqual(ended, [false, false, true, true, true]);
  });

  it('accept a cancellation while the job waits or runs, and not later', async () => {
    const jobId = await queueJob(redis);
    assert.equal(await isCancelRequested(redis, jobId), false);
    assert.equal(await requestCancel(redis, jobId), true);
    assert.equal(await isCancelRequested(redis, jobId), true);
    const log = await claim(redis, jobId);
    assert.equal(await requestCancel(redis, jobId), true);
    await end(log, { status: 'cancelled' });
    assert.equal(await requestCancel(redis, jobId), false);
  });

  it('refuse a cancellation once the job has committed', async () => {
    const options = { onlyIfQueued: true };
    const jobId = await queueJob(redis);
    assert.equal(await requestCancel(redis, jobId, options), true);
    const begun = await queueJob(redis);
    await claim(redis, begun);
    assert.equal(await requestCancel(redis, begun, options), false);
    assert.equal(await isCancelRequested(redis, begun), false);
  });

  it('accept a cancellation once replicas have acknowledged it', async () => {
    const jobId = await queueJob(redis);
    const { store: replicated } = await store.connect();
    const keys = keysOfReplicatedWrites(replicated);
    assert.equal(await requestCancel(replicated, jobId), true);
    assert.deepEqual(keys, [jobKeys.record(jobId)]);
  });

  it('are not created by cancelling an unknown job', async () => {
    assert.equal(await requestCancel(redis, 'nobody'), false);
    assert.equal(await redis.exists(jobKeys.record('nobody')), 0);
  });
});
