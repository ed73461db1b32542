import assert from 'node:assert/strict';
import {
  CancelRequestedError,
  jobKeys,
  noEstimate,
  ProgressLog,
  RecordGoneError,
  readEvents,
  readJob,
  requestCancel,
  SupersededError,
} from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { append, claim, end, jobOf, keepSeconds, message, queueJob } from '../stored-jobs.ts';

describe('ProgressLog', () => {
  const store = new TestStore();
  let redis: Redis;
  let jobId: string;

  before(async () => {
    redis = (await store.connect()).store;
  });

  after(() => store.close());

  beforeEach(async () => {
    jobId = await queueJob(redis);
  });

  it('claims a job, which then has the status running', async () => {
    const log = await claim(redis, jobId);
    assert.equal(log.jobId, jobId);
    assert.equal((await readJob(redis, jobId))?.status, 'running');
  });

  it('claims no job whose record is gone, and creates none', async () => {
    assert.equal(await ProgressLog.claim(jobOf('nobody'), { redis, keepSeconds }), 'gone');
    assert.equal(await redis.exists(jobKeys.record('nobody')), 0);
  });

  it('numbers events from 1 in order, and reports the last', async () => {
    const log = await claim(redis, jobId);
    await append(log, 1, 2);
    await end(log);
    const events = await readEvents(redis, jobId, 0);
    assert.deepEqual(
      events.map(({ seq, last }) => [seq, last]),
      [
        [1, false],
        [2, false],
        [3, true],
      ],
    );
    assert.deepEqual(JSON.parse(events[0]?.data ?? ''), {
      ...message(1),
      job_id: jobId,
      ...noEstimate,
      estimated_progress: 1,
    });
    assert.deepEqual(await readEvents(redis, jobId, 2), [events[2]]);
    assert.deepEqual(await readEvents(redis, jobId, 3), []);
  });

  it('keeps an event on one line, whatever its text', async () => {
    const log = await claim(redis, jobId);
    const text = 'Two\nlines, a "quote", \u2028 and ! first';
    await log.publish({ step: '!', progress: 1, message: text });
    const [event] = await readEvents(redis, jobId, 0);
    assert.equal(event?.data.includes('\n'), false);
    assert.equal(event?.last, false);
    assert.equal((JSON.parse(event?.data ?? '') as { message: string }).message, text);
  });

  it('writes step, progress, message and changes together with the event', async () => {
    const log = await claim(redis, jobId);
    await log.publish(message(7), { resourceId: 'server-1' });
    const running = await readJob(redis, jobId);
    assert.deepEqual(
      [running?.status, running?.step, running?.progress, running?.message, running?.resourceId],
      ['running', 'STEP_7', 7, 'Event 7.', 'server-1'],
    );
    assert.ok((running?.updatedAt ?? 0) > (running?.createdAt ?? 0));

    const failure = { status: 409, code: 'quota_exceeded', detail: 'Too much.' };
    const leftovers = [{ type: 'volume', id: 'v1', reason: 'In use.' }];
    await log.end(
      { step: 'FAILED', progress: -1, message: 'Too much.' },
      { status: 'failed', failure, leftovers },
    );
    const failed = await readJob(redis, jobId);
    assert.deepEqual(
      [failed?.status, failed?.progress, failed?.failure, failed?.leftovers, failed?.resourceId],
      ['failed', -1, failure, leftovers, 'server-1'],
    );
  });

  it('writes changes and journal entries without an event', async () => {
    const log = await claim(redis, jobId);
    await log.record({ resourceId: 'server-2' }, { field: 'server', value: '{"phase":"made"}' });
    assert.equal((await readJob(redis, jobId))?.resourceId, 'server-2');
    assert.deepEqual(await redis.hgetall(jobKeys.journal(jobId)), { server: '{"phase":"made"}' });
    assert.deepEqual(await readEvents(redis, jobId, 0), []);
  });

  it('rejects writes of a superseded run, and stores none of them', async () => {
    const first = await claim(redis, jobId);
    await first.publish(message(1));
    const second = await claim(redis, jobId);
    await assert.rejects(first.publish(message(2)), SupersededError);
    await assert.rejects(first.record({ resourceId: 'x' }, { field: 'a', value: 'b' }), SupersededError);
    await assert.rejects(end(first), SupersededError);
    await second.publish(message(3));
    const events = await readEvents(redis, jobId, 0);
    assert.deepEqual(
      events.map(({ seq, data }) => [seq, (JSON.parse(data) as { progress: number }).progress]),
      [
        [1, 1],
        [2, 3],
      ],
    );
    assert.equal((await readJob(redis, jobId))?.resourceId, null);
    assert.equal(await redis.exists(jobKeys.journal(jobId)), 0);
  });

  it('checks that its run owns the job, unless just checked', async () => {
    const first = await claim(redis, jobId);
    await first.assertClaimHeld(0);
    const second = await claim(redis, jobId);
    await first.assertClaimHeld(60_000);
    await assert.rejects(first.assertClaimHeld(0), SupersededError);
    await second.assertClaimHeld(0);
    await redis.del(jobKeys.record(jobId));
    await second.assertClaimHeld(0);
  });

  it('reports to a run that its record is gone', async () => {
    const log = await claim(redis, jobId);
    await redis.del(jobKeys.record(jobId));
    await assert.rejects(log.publish(message(1)), RecordGoneError);
    assert.equal(await redis.exists(jobKeys.record(jobId), jobKeys.log(jobId)), 0);
  });

  it('notices at its next write that the job is to be cancelled', async () => {
    const log = await claim(redis, jobId);
    await log.publish(message(1));
    assert.equal(log.cancelled.aborted, false);
    await requestCancel(redis, jobId);
    await log.record({}, { field: 'a', value: 'b' });
    assert.equal(log.cancelled.aborted, true);
  });

  it('does not complete a job that was cancelled before', async () => {
    const log = await claim(redis, jobId);
    await requestCancel(redis, jobId);
    const done = () => log.end(message(1), { status: 'completed' }, { failIfCancelRequested: true });
    await assert.rejects(done(), CancelRequestedError);
    assert.deepEqual(await readEvents(redis, jobId, 0), []);
    assert.equal((await readJob(redis, jobId))?.status, 'running');
    await log.end(message(1), { status: 'cancelled' });
    assert.equal((await readJob(redis, jobId))?.status, 'cancelled');
  });

  it('ends a job once: no event follows the last one', async () => {
    for (const status of ['completed', 'failed', 'cancelled'] as const) {
      const id = await queueJob(redis);
      const log = await claim(redis, id);
      await end(log, { status });
      await log.publish(message(2));
      await end(log, { status: status === 'failed' ? 'completed' : 'failed' });
      await log.record({ resourceId: 'late' });
      assert.equal(await ProgressLog.claim(jobOf(id), { redis, keepSeconds }), 'gone');
      assert.deepEqual(
        (await readEvents(redis, id, 0)).map(({ last }) => last),
        [true],
      );
      const record = await readJob(redis, id);
      assert.deepEqual([record?.status, record?.resourceId], [status, null]);
    }
  });

  it('writes one last event even if two runs end the job', async () => {
    const first = await claim(redis, jobId);
    const second = await claim(redis, jobId);
    await Promise.allSettled([end(first), end(second), end(second, { status: 'failed' }), end(first)]);
    const events = await readEvents(redis, jobId, 0);
    assert.deepEqual(
      events.map(({ last }) => last),
      [true],
    );
  });

  it('keeps record, events and journal for a while after the end', async () => {
    const log = await claim(redis, jobId);
    await log.publish(message(1), {}, { field: 'a', value: 'b' });
    assert.equal(await redis.ttl(jobKeys.log(jobId)), -1);
    await end(log);
    for (const key of [jobKeys.record(jobId), jobKeys.log(jobId), jobKeys.journal(jobId)]) {
      const left = await redis.ttl(key);
      assert.ok(left > keepSeconds - 10 && left <= keepSeconds, `${key}: ${left} s`);
    }
  });

  it('keeps all keys of a job and the feed in one slot', () => {
    for (const key of [
      jobKeys.record('j'),
      jobKeys.log('j'),
      jobKeys.journal('j'),
      jobKeys.feed,
      jobKeys.credential('h'),
    ]) {
      assert.match(key, /^\{jobs\}:/);
    }
  });
});
