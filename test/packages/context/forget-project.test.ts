import assert from 'node:assert/strict';
import { DUE_ENTRY, startRunNow } from '@gateway/auto-backup';
import { forgetProject } from '@gateway/context';
import { newId } from '@gateway/core';
import { isCancelRequested } from '@gateway/jobs';
import { BackupsInRedis } from '../auto-backup/backups-in-redis.ts';

type Parts = Parameters<typeof forgetProject>[0];

describe('a deleted project', () => {
  let world: BackupsInRedis;
  beforeEach(() => {
    world = new BackupsInRedis();
  });
  afterEach(() => world.store.close());

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
    const records = {
      gpuQuotas: { removeProject: async () => {} },
      liteClusters: { readOpenOfProject: async () => [] },
      nearlyFullQuotas: { removeOfProject: async () => {} },
      webhooks: { removeOfProject: async () => {} },
    } as unknown as Parts;

    await forgetProject({ ...records, autoBackups: opened, queues, redis }, 'p1');

    assert.deepEqual(await store.allIds(), [other]);
    const scheduled = await (await queues.open('maintenance')).getJobSchedulers();
    assert.deepEqual(
      scheduled.map(({ key, name }) => [key, name]),
      [[`auto-backup.${other}`, DUE_ENTRY]],
    );
    assert.ok(await isCancelRequested(redis.store, started.jobId));
  });
});
