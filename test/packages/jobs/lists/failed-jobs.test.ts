import assert from 'node:assert/strict';
import { countFailedJobs, jobKeys, readFailedJobs } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { claim, queueJob } from '../stored-jobs.ts';

describe('the list of failed jobs', () => {
  const store = new TestStore();
  let redis: Redis;

  before(async () => {
    redis = (await store.connect()).store;
  });

  after(() => store.close());

  beforeEach(() => redis.del(jobKeys.failed('provisioning')));

  async function endedJob(status: 'completed' | 'failed' | 'cancelled'): Promise<string> {
    const id = await queueJob(redis);
    await (await claim(redis, id)).end({ step: 'END', progress: 0, message: 'It has ended.' }, { status });
    return id;
  }

  const list = async (start: number, end: number) =>
    (await readFailedJobs(redis, 'provisioning', start, end)).map(({ id }) => id);

  it('has those that failed, the latest first, and no others', async () => {
    const first = await endedJob('failed');
    // The order is that of the ends, in milliseconds.
    await redis.zadd(jobKeys.failed('provisioning'), 1, first);
    await endedJob('completed');
    await endedJob('cancelled');
    const second = await endedJob('failed');

    assert.deepEqual(await list(0, 9), [second, first]);
    assert.deepEqual([await list(0, 0), await list(1, 1)], [[second], [first]]);
    assert.equal(await countFailedJobs(redis, 'provisioning'), 2);
    assert.deepEqual(await readFailedJobs(redis, 'cleanup', 0, 9), []);
  });

  it('drops jobs whose records have expired', async () => {
    const gone = await endedJob('failed');
    const kept = await endedJob('failed');
    await redis.del(jobKeys.record(gone));

    assert.deepEqual(await list(0, 9), [kept]);
    assert.equal(await countFailedJobs(redis, 'provisioning'), 1);
  });

  it('is limited to the latest thousand', async () => {
    const old = Array.from({ length: 1_050 }, (_, index) => [index, `old-${index}`]).flat();
    await redis.zadd(jobKeys.failed('provisioning'), ...old);

    const latest = await endedJob('failed');

    assert.equal(await countFailedJobs(redis, 'provisioning'), 1_000);
    assert.notEqual(await redis.zscore(jobKeys.failed('provisioning'), latest), null);
    assert.equal(await redis.zscore(jobKeys.failed('provisioning'), 'old-50'), null);
  });
});
