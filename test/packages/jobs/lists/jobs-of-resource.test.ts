import assert from 'node:assert/strict';
import { jobKeys, listJobs, ProgressLog, resourceOf } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { claim, end, jobOf, keepSeconds, message, queueJob } from '../stored-jobs.ts';

const NOTHING_LEFT = { leftovers: 0, searchUntil: 1 };

describe('the jobs of a resource', () => {
  const store = new TestStore();
  const key = (resourceId: string) => jobKeys.ofResource(resourceOf('p1', resourceId));
  let redis: Redis;

  before(async () => {
    redis = (await store.connect()).store;
  });

  after(() => store.close());

  const listed = async (resourceId: string, projectId = 'p1') =>
    (await listJobs(redis, { projectId, resourceId, limit: 10 }))?.jobs.map(({ id }) => id);

  it('include a job once it knows the resource, in its project', async () => {
    const id = await queueJob(redis);
    const log = await claim(redis, id);
    await log.publish(message(1));
    assert.deepEqual(await listed('server-1'), []);

    await log.record({ resourceId: 'server-1' });

    assert.deepEqual(await listed('server-1'), [id]);
    assert.deepEqual(await listed('server-1', 'p2'), []);
    assert.equal(await redis.ttl(key('server-1')), -1);
  });

  it('are kept as long as the last of their records', async () => {
    const [first, second] = [await queueJob(redis), await queueJob(redis)];
    const logs = [await claim(redis, first), await claim(redis, second)];
    for (const log of logs) await log.record({ resourceId: 'server-2' });
    assert.ok(logs[0] && logs[1]);

    await end(logs[0]);
    assert.equal(await redis.ttl(key('server-2')), -1, 'the other job has not ended');
    await end(logs[1]);

    const seconds = await redis.ttl(key('server-2'));
    assert.ok(seconds > 0 && seconds <= keepSeconds);
    assert.deepEqual(new Set(await listed('server-2')), new Set([first, second]));
  });

  it('stay while one is swept, and lose those that are dropped', async () => {
    const limits = { redis, keepSeconds, unsuccessfulLimit: 1 };
    const fail = async (sweep: typeof NOTHING_LEFT | null) => {
      const id = await queueJob(redis);
      const log = await ProgressLog.claim(jobOf(id), limits);
      assert.ok(log instanceof ProgressLog);
      await log.record({ resourceId: 'server-3' });
      await log.end(message(2), { status: 'failed' }, { sweep });
      return id;
    };
    const swept = await fail(NOTHING_LEFT);
    const dropped = await fail(null);
    assert.equal(await redis.ttl(key('server-3')), -1);

    const latest = await fail(null);

    assert.deepEqual(new Set(await redis.zrange(key('server-3'), '0', '-1')), new Set([swept, latest]));
    assert.ok(![swept, latest].includes(dropped));
  });
});
