import assert from 'node:assert/strict';
import { jobKeys } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { claim, end, keepSeconds, queueJob } from '../stored-jobs.ts';

const list = jobKeys.ofProject('p1');

describe('the list of the jobs of a project', () => {
  const store = new TestStore();
  let redis: Redis;

  before(async () => {
    redis = (await store.connect()).store;
  });

  beforeEach(() => redis.del(list));

  after(() => store.close());

  async function queueListed(createdAt: number): Promise<string> {
    const id = await queueJob(redis);
    await redis.zadd(list, createdAt, id);
    return id;
  }

  it('is kept as long as the last of their records', async () => {
    const [first, second] = [await queueListed(1), await queueListed(2)];

    await end(await claim(redis, second));
    assert.equal(await redis.ttl(list), -1, 'the other job has not ended');
    await end(await claim(redis, first));

    const seconds = await redis.ttl(list);
    assert.ok(seconds > 0 && seconds <= keepSeconds);
  });

  it('loses no unfinished job, however many have ended since', async () => {
    await queueListed(1);
    for (let count = 2; count <= 60; count += 1) {
      const id = `ended-${count}`;
      await redis.set(jobKeys.record(id), '', 'EX', keepSeconds);
      await redis.zadd(list, count, id);
    }

    await end(await claim(redis, await queueListed(61)));

    assert.equal(await redis.ttl(list), -1);
  });
});
