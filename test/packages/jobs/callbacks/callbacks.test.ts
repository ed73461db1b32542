import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Sealer } from '@gateway/core';
import { Callbacks, jobKeys } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/store';
import { sendTwice } from '../../../support/redis/replicated-writes.ts';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { everythingIn } from '../redis-contents.ts';
import { claim, end, queueJob } from '../stored-jobs.ts';

const interim = { type: 'instance.create', isFinal: false } as const;
const final = { type: 'instance.create', isFinal: true } as const;

describe('Callbacks', () => {
  const store = new TestStore();
  let redis: RedisConnections;
  let callbacks: Callbacks;
  /** Sends every write twice, as after a lost response. */
  let resending: Callbacks;
  let jobId: string;

  before(async () => {
    redis = await store.connect();
    const sealer = new Sealer([{ id: 'k1', key: randomBytes(32) }]);
    const options = { redis: redis.store, sealer, keepSeconds: 600 };
    callbacks = new Callbacks(options);
    const { store: other } = await store.connect();
    sendTwice(other);
    resending = new Callbacks({ ...options, redis: other });
  });

  beforeEach(async () => {
    jobId = await queueJob(redis.store);
  });

  after(() => store.close());

  it('accept the latest report of the machine that has the token', async () => {
    const token = await callbacks.issueToken(jobId, 60);
    assert.equal(await callbacks.read(jobId), null);

    assert.equal(await callbacks.accept(token, { stage: 'first' }, interim), jobId);
    assert.equal(await callbacks.accept(token, { stage: 'second' }, interim), jobId);

    const report = await callbacks.read<{ stage: string }>(jobId);
    assert.deepEqual([report?.body, report?.isFinal], [{ stage: 'second' }, false]);
  });

  it('refuse the token of a job of another type', async () => {
    const token = await callbacks.issueToken(jobId, 60);

    for (const type of ['lite.create', 'library.build'] as const) {
      assert.equal(await callbacks.accept(token, {}, { type, isFinal: true }), null, type);
    }
    assert.equal(await callbacks.read(jobId), null);
    assert.equal(await callbacks.accept(token, {}, final), jobId);
  });

  it('number the reports, so that their order does not depend on clocks', async () => {
    const token = await callbacks.issueToken(jobId, 60);
    await callbacks.accept(token, { stage: 'first' }, interim);
    const first = await callbacks.read(jobId);
    const now = Date.now;
    Date.now = () => now() - 5_000;
    try {
      await resending.accept(token, { stage: 'second' }, interim);
    } finally {
      Date.now = now;
    }
    const second = await callbacks.read(jobId);

    assert.deepEqual([first?.number, second?.number], [1, 2]);
    assert.ok(second && first && second.at < first.at);
  });

  it("keep a final report at least for its token's lifetime", async () => {
    const token = await callbacks.issueToken(jobId, 6_000);
    await callbacks.accept(token, {}, final);

    assert.ok((await redis.store.ttl(jobKeys.callback(jobId))) > 600);
  });

  it('accept only the same report again after the final report', async () => {
    const token = await callbacks.issueToken(jobId, 60);
    const report = { stage: 'done', success: true };

    assert.equal(await callbacks.accept(token, report, final), jobId);

    assert.equal(await callbacks.accept(token, report, final), jobId, 'its answer was lost, say');
    assert.equal(await callbacks.accept(token, { ...report, success: false }, final), null);
    assert.equal(await callbacks.accept(token, { stage: 'late' }, interim), null);
    assert.deepEqual((await callbacks.read(jobId))?.body, report);
  });

  it("reject an invalid token, another job's, and an expired one", async () => {
    const token = await callbacks.issueToken(jobId, 60);
    const another = await callbacks.issueToken(await queueJob(redis.store), 60);
    const ofAnother = `${jobId}.${another.split('.')[1]}`;
    for (const wrong of ['', 'x', '.', `${jobId}.`, `${token}x`, ofAnother]) {
      assert.equal(await callbacks.accept(wrong, {}, final), null, wrong);
    }
    await redis.store.pexpire(jobKeys.callback(jobId), 1);
    await redis.store.get('a moment later');
    assert.ok((await redis.store.pttl(jobKeys.callback(jobId))) <= 1);
    while ((await redis.store.exists(jobKeys.callback(jobId))) === 1);
    assert.equal(await callbacks.accept(token, {}, final), null);
  });

  it('reject reports to jobs that ended or expect none', async () => {
    const token = await callbacks.issueToken(jobId, 60);
    await end(await claim(redis.store, jobId));
    assert.equal(await callbacks.accept(token, {}, final), null);

    const other = await queueJob(redis.store);
    const otherToken = await callbacks.issueToken(other, 60);
    await callbacks.close(other);
    assert.equal(await callbacks.accept(otherToken, {}, final), null);
  });

  it("keep an earlier attempt's token valid, whose machine may be adopted", async () => {
    const first = await callbacks.issueToken(jobId, 60);
    await callbacks.issueToken(jobId, 60);

    assert.equal(await callbacks.accept(first, { stage: 'start' }, interim), jobId);
  });

  it('store neither token nor report in clear', async () => {
    const token = await callbacks.issueToken(jobId, 60);
    await callbacks.accept(token, { stage: 'a-telling-word' }, final);

    const stored = await everythingIn(redis.queue, store.prefix);
    assert.ok(stored.includes(jobId));
    assert.equal(stored.includes(token.split('.')[1] ?? ''), false);
    assert.equal(stored.includes('a-telling-word'), false);
  });
});
