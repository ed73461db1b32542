import assert from 'node:assert/strict';
import { DUE_ENTRY, startRunNow } from '@gateway/auto-backup';
import { forgetProject } from '@gateway/context';
import { newId } from '@gateway/core';
import { isCancelRequested, jobKeys } from '@gateway/jobs';
import { BackupsInRedis } from '../auto-backup/backups-in-redis.ts';
import { claim, end, queueJob } from '../jobs/stored-jobs.ts';

type Parts = Parameters<typeof forgetProject>[0];

describe('a deleted project', () => {
  let world: BackupsInRedis;
  beforeEach(() => {
    world = new BackupsInRedis();
  });
  afterEach(() => world.store.close());

  const records = {
    gpuQuotas: { removeProject: async () => {} },
    liteClusters: { readOpenOfProject: async () => [] },
    nearlyFullQuotas: { removeOfProject: async () => {} },
    webhooks: { removeOfProject: async () => {} },
  } as unknown as Parts;

  it('leaves no auto backup, and no run of one', async () => {
    const opened = await world.open();
    const { entries, queues, redis, store } = opened;
    const ids = [];
    for (const place of [{ volumeId: 'v1' }, { volumeId: 'v2' }, { projectId: 'p2' }]) {
      const id = (await world.setUp(opened, place)) ?? '';
      await entries.update(id);
      ids.push(id);
    }
    const other = ids.at(-1);
    const running = await store.readOfVolume('p1', 'v2');
    assert.ok(running);
    const started = { jobId: newId(), owner: world.identity, requestId: 'req-1' };
    await startRunNow(opened, running, started);

    await forgetProject({ ...records, autoBackups: opened, queues, redis }, 'p1');

    assert.deepEqual(await store.allIds(), [other]);
    const scheduled = await (await queues.open('maintenance')).getJobSchedulers();
    assert.deepEqual(
      scheduled.map(({ key, name }) => [key, name]),
      [[`auto-backup.${other}`, DUE_ENTRY]],
    );
    assert.ok(await isCancelRequested(redis.store, started.jobId));
  });

  it('leaves its unfinished jobs in their list until they have ended', async () => {
    const opened = await world.open();
    const { queues, redis } = opened;
    const list = jobKeys.ofProject('p1');
    const [ended, unfinished] = [await queueJob(redis.store), await queueJob(redis.store)];
    for (const id of [ended, unfinished, 'gone']) await redis.store.zadd(list, 1, id);
    await end(await claim(redis.store, ended));

    await forgetProject({ ...records, autoBackups: opened, queues, redis }, 'p1');

    assert.deepEqual(await redis.store.zrange(list, '0', '-1'), [unfinished]);
    assert.equal(await redis.store.ttl(list), -1);
    await end(await claim(redis.store, unfinished));
    assert.ok((await redis.store.ttl(list)) > 0);
  });
});
