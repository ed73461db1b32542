import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { Sealer } from '@gateway/core';
import { jobKeys, MachineFailures } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { everythingIn } from '../redis-contents.ts';
import { claim, end, queueJob } from '../stored-jobs.ts';

const error = 'stage install: no such release';

describe('MachineFailures', () => {
  const store = new TestStore();
  let redis: RedisConnections;
  let failures: MachineFailures;
  let jobId: string;
  let serverId: string;

  before(async () => {
    redis = await store.connect();
    failures = new MachineFailures({
      redis: redis.store,
      sealer: new Sealer([{ id: 'k1', key: randomBytes(32) }]),
    });
  });

  beforeEach(async () => {
    jobId = await queueJob(redis.store);
    serverId = randomUUID();
  });

  after(() => store.close());

  it('keep the failures of several machines apart', async () => {
    const [one, other] = [await failures.issueToken(jobId, 60), await failures.issueToken(jobId, 60)];
    const second = randomUUID();

    assert.deepEqual(await failures.accept(one, { serverId, error }), { id: jobId, type: 'instance.create' });
    assert.ok(await failures.accept(other, { serverId: second, error: 'stage gpu: no driver' }));

    assert.equal(await failures.read(jobId, serverId), error);
    assert.equal(await failures.read(jobId, second), 'stage gpu: no driver');
    assert.equal(await failures.read(jobId, randomUUID()), null);
  });

  it('count the first failure of a machine, however often it reports', async () => {
    const token = await failures.issueToken(jobId, 60);
    await failures.accept(token, { serverId, error });

    assert.ok(await failures.accept(token, { serverId, error: 'stage join: later' }));

    assert.equal(await failures.read(jobId, serverId), error);
  });

  it('refuse unknown tokens, those of other jobs, and those of ended ones', async () => {
    const token = await failures.issueToken(jobId, 60);
    const [, secret] = token.split('.');
    const other = await queueJob(redis.store);
    for (const wrong of ['', 'unknown', `${jobId}.`, `${other}.${secret}`]) {
      assert.equal(await failures.accept(wrong, { serverId, error }), null, wrong);
      assert.equal(await failures.issuerOf(wrong), null, wrong);
    }
    assert.equal(await failures.issuerOf(token), jobId);

    await end(await claim(redis.store, jobId));

    assert.equal(await failures.accept(token, { serverId, error }), null);
    assert.equal(await failures.read(jobId, serverId), null);
  });

  it('store neither token nor reason in plain text, and end', async () => {
    const token = await failures.issueToken(jobId, 60);
    await failures.accept(token, { serverId, error });

    const contents = await everythingIn(redis.queue, store.prefix);
    assert.ok(contents.includes(jobId));

    for (const secret of [token, token.split('.')[1] ?? '', error]) assert.ok(!contents.includes(secret));
    const seconds = await redis.store.ttl(jobKeys.failures(jobId));
    assert.ok(seconds > 0 && seconds <= 60, String(seconds));
  });

  it('are limited in number', async () => {
    const token = await failures.issueToken(jobId, 60);
    const machines = Array.from({ length: 499 }, () => randomUUID());
    await Promise.all(machines.map((id) => failures.accept(token, { serverId: id, error })));

    assert.equal(await failures.accept(token, { serverId, error }), null);
  });
});
