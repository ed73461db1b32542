import assert from 'node:assert/strict';
import {
  holdJob,
  jobKeys,
  type OutboxEntry,
  ProgressLog,
  parseOutboxEntry,
  readJob,
  readOutbox,
  removeFromOutbox,
} from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { claim, end, jobOf, keepSeconds, message, queueJob } from '../stored-jobs.ts';

describe('the outbox', () => {
  const store = new TestStore();
  let redis: Redis;
  let jobId: string;

  before(async () => {
    redis = (await store.connect()).store;
  });
  after(() => store.close());
  beforeEach(async () => {
    await redis.del(jobKeys.outbox);
    jobId = await queueJob(redis);
  });

  const read = async (limit = 10): Promise<OutboxEntry[]> =>
    (await readOutbox(redis, limit)).map(({ text }) => parseOutboxEntry(text));

  it('has the end of a job, with what its record says', async () => {
    const log = await claim(redis, jobId);
    await log.publish(message(1), { resourceId: 'vm-1' });
    const failure = { status: 409, code: 'quota_exceeded', detail: 'No room.' };
    const leftovers = [{ type: 'volume', id: 'v-1', reason: 'It is in use.' }];

    await end(log, { status: 'failed', failure, leftovers });

    const [entry, ...others] = await read();
    assert.deepEqual(others, []);
    const { startedAt, updatedAt, ...rest } = entry ?? assert.fail();
    assert.ok((startedAt ?? 0) > 0 && updatedAt > 0);
    assert.deepEqual(rest, {
      event: 'ended',
      jobId,
      requestId: 'req-1',
      projectId: 'p1',
      userId: 'u1',
      userName: null,
      type: 'instance.create',
      status: 'failed',
      subject: null,
      resourceId: 'vm-1',
      resourceName: null,
      resourceType: 'instance',
      failure,
      problem: null,
      leftovers,
      hold: null,
      createdAt: 1_000,
    });
  });

  it('keeps it when the record is gone, until it is removed', async () => {
    await end(await claim(redis, jobId));
    await redis.del(jobKeys.record(jobId));
    const [row] = await readOutbox(redis, 10);
    assert.ok(row);
    assert.equal(parseOutboxEntry(row.text).jobId, jobId);

    await removeFromOutbox(redis, [row.position]);

    assert.deepEqual(await readOutbox(redis, 10), []);
  });

  it('says what a job that has completed could not do', async () => {
    await end(await claim(redis, jobId), { problem: 'The volume was not found.' });

    assert.equal((await read())[0]?.problem, 'The volume was not found.');
  });

  it('has one end although the write is repeated', async () => {
    const log = await claim(redis, jobId);
    await end(log);
    await end(log);

    assert.equal((await readOutbox(redis, 10)).length, 1);
  });

  it('says why a job is held', async () => {
    const record = await readJob(redis, jobId);
    assert.ok(record);
    await holdJob(redis, record);
    const other = await queueJob(redis);
    await claim(redis, other);
    const options = { redis, keepSeconds, runningLimit: 0, lostRunsLimit: 1 };
    assert.equal(await ProgressLog.claim(jobOf(other), options), 'held');

    const entries = await read();

    assert.deepEqual(
      entries.map(({ event, hold, jobId: id }) => [event, hold?.reason, id]),
      [
        ['held', 'administrator', jobId],
        ['held', 'lost_runs', other],
      ],
    );
  });

  it('says what an exclusive job was exclusive for', async () => {
    await redis.hset(
      jobKeys.record(jobId),
      'exclusive',
      `${store.prefix}${jobKeys.exclusive('auto-backup:b-1')}`,
    );

    await end(await claim(redis, jobId));

    assert.equal((await read(1))[0]?.subject, 'auto-backup:b-1');
  });

  it("has nothing of the gateway's own jobs", async () => {
    const log = await ProgressLog.claim(
      { id: jobId, type: 'session.prefill', projectId: 'p1' },
      { redis, keepSeconds },
    );
    assert.ok(log instanceof ProgressLog);
    await end(log);

    assert.deepEqual(await readOutbox(redis, 10), []);
  });
});
