import assert from 'node:assert/strict';
import { formatStored, newId, storedForms } from '@gateway/core';
import {
  jobKeys,
  type Leftover,
  newRecord,
  readAllLeftovers,
  readResourceOwners,
  toHash,
} from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { claim, end, queueJob } from '../stored-jobs.ts';

const leftover: Leftover = { type: 'volume', id: 'v1', reason: 'In use.' };

describe('the owners of resources', () => {
  const store = new TestStore();
  let redis: Redis;

  before(async () => {
    redis = (await store.connect()).store;
  });

  after(() => store.close());

  it('are the asked jobs that are known, whatever ids the marks contain', async () => {
    const [running, completed] = [await queueJob(redis), await queueJob(redis)];
    await claim(redis, running);
    await end(await claim(redis, completed));

    const { jobs } = await readResourceOwners(redis, [running, completed, newId(), 'open', 'feed', '']);

    assert.deepEqual(
      [...jobs].map(([id, { status, isSwept, projectId, type }]) => [id, status, isSwept, projectId, type]),
      [
        [running, 'running', false, 'p1', 'instance.create'],
        [completed, 'completed', false, 'p1', 'instance.create'],
      ],
    );
    assert.ok(Math.abs((jobs.get(completed)?.updatedAt ?? 0) - Date.now()) < 60_000);
  });

  it('are ended jobs that are still swept, with their leftovers', async () => {
    const id = await queueJob(redis);
    const log = await claim(redis, id);
    await log.end(
      { step: 'FAILED', progress: -1, message: 'No.' },
      { status: 'failed', leftovers: [leftover] },
      { sweep: { leftovers: 1, searchUntil: 0 } },
    );

    const { jobs, leftovers } = await readResourceOwners(redis, [id]);

    assert.deepEqual([jobs.get(id)?.status, jobs.get(id)?.isSwept], ['failed', true]);
    const expected = { ...leftover, jobId: id, jobType: 'instance.create', projectId: 'p1' };
    assert.deepEqual(leftovers, [expected]);
    assert.deepEqual(await readAllLeftovers(redis), [expected]);
  });

  it('are deletions of instances, with the resources in their journals', async () => {
    const [id, instance, volume] = [newId(), newId(), newId()];
    const job = { id, type: 'instance.delete', projectId: 'p1', userId: 'u1', requestId: 'r' } as const;
    await redis.hset(jobKeys.record(id), toHash(newRecord({ ...job, resourceId: instance })));
    await redis.zadd(jobKeys.open, 1_000, id);
    const entry = { phase: 'done', at: 1, result: { associated: { volumeIds: [volume], portIds: [] } } };
    await redis.hset(jobKeys.journal(id), 'look-up', formatStored(storedForms.journalEntry, entry));

    const { underDeletion } = await readResourceOwners(redis, []);

    assert.deepEqual([...underDeletion].sort(), [instance, volume].sort());
    await redis.zrem(jobKeys.open, id);
    assert.equal((await readResourceOwners(redis, [])).underDeletion.size, 0);
  });
});
