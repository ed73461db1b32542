import assert from 'node:assert/strict';
import { awaitJob, jobKeys, type ProgressLog, ProgressRelay } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { append, claim, end, message, queueJob } from '../stored-jobs.ts';

const LONG_MS = 3_600_000;

describe('awaitJob', () => {
  const store = new TestStore();
  let redis: Redis;
  let relay: ProgressRelay;
  let jobId: string;
  let log: ProgressLog;

  before(async () => {
    const connections = await store.connect();
    redis = connections.store;
    relay = new ProgressRelay(redis, connections.blocking('relay'));
    relay.start();
  });

  after(async () => {
    await relay.close();
    await store.close();
  });

  beforeEach(async () => {
    jobId = await queueJob(redis);
    log = await claim(redis, jobId);
  });

  it('returns the record when the job ends', async () => {
    const waiting = awaitJob(redis, relay, jobId, { timeoutMs: LONG_MS });
    await append(log, 1, 3);
    await end(log, { resourceId: 'server-1' });
    const record = await waiting;
    assert.deepEqual([record?.status, record?.resourceId], ['completed', 'server-1']);
  });

  it('returns the record of a job that has already ended', async () => {
    await end(log, { status: 'failed' });
    const record = await awaitJob(redis, relay, jobId, { timeoutMs: LONG_MS });
    assert.equal(record?.status, 'failed');
  });

  it('returns at the requested event', async () => {
    const waiting = awaitJob(redis, relay, jobId, {
      timeoutMs: LONG_MS,
      until: ({ data }) => data.includes('STEP_2'),
    });
    await append(log, 1, 2);
    assert.equal((await waiting)?.status, 'running');
  });

  it('returns when its signal is aborted, even before it has begun', async () => {
    const leaving = new AbortController();
    const waiting = awaitJob(redis, relay, jobId, { timeoutMs: LONG_MS, signal: leaving.signal });
    leaving.abort();
    assert.equal(await waiting, null);
    assert.equal(await awaitJob(redis, relay, jobId, { timeoutMs: LONG_MS, signal: leaving.signal }), null);
  });

  it('returns at the end of a job without the requested event', async () => {
    const waiting = awaitJob(redis, relay, jobId, { timeoutMs: LONG_MS, until: () => false });
    await log.end(message(1), { status: 'failed' });
    assert.equal((await waiting)?.status, 'failed');
  });

  it('returns null after the timeout, and leaves the job running', async () => {
    await append(log, 1, 1);
    assert.equal(await awaitJob(redis, relay, jobId, { timeoutMs: 20 }), null);
    await append(log, 2, 2);
  });

  it('returns the record of an ended job, even without events', async () => {
    await end(log);
    await redis.del(jobKeys.log(jobId));
    assert.equal((await awaitJob(redis, relay, jobId, { timeoutMs: LONG_MS }))?.status, 'completed');
  });

  it('returns null if the job is gone', async () => {
    await redis.del(jobKeys.log(jobId), jobKeys.record(jobId));
    assert.equal(await awaitJob(redis, relay, jobId, { timeoutMs: LONG_MS }), null);
  });

  it('returns null if Redis is unavailable, since the job continues', async () => {
    const unavailable = {
      hgetall: () => Promise.reject(new Error('Connection is closed.')),
    } as unknown as Redis;
    await end(log);
    assert.equal(await awaitJob(unavailable, relay, jobId, { timeoutMs: LONG_MS }), null);
  });

  it('throws if the log cannot be read', async () => {
    await redis.set(jobKeys.log(jobId), 'no list');
    await assert.rejects(awaitJob(redis, relay, jobId, { timeoutMs: LONG_MS }), /WRONGTYPE/);
  });
});
