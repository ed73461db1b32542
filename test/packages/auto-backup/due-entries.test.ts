import assert from 'node:assert/strict';
import { DueEntries, nextDue } from '@gateway/auto-backup';
import { CronEntries } from '@gateway/jobs';
import { autoBackupKeys } from '../../../packages/auto-backup/src/keys.ts';
import { BackupsInRedis } from './backups-in-redis.ts';

const HOURLY = '0 * * * *';
const DAILY = '30 3 * * *';

describe('the queue entries of auto backups', () => {
  let world: BackupsInRedis;
  let parts: Awaited<ReturnType<BackupsInRedis['open']>>;
  let id: string;
  beforeEach(async () => {
    world = new BackupsInRedis();
    parts = await world.open();
    id = (await world.setUp(parts, { schedule: HOURLY })) ?? '';
  });
  afterEach(() => world.store.close());

  const scheduler = async () => (await parts.queues.open('maintenance')).getJobScheduler(`auto-backup.${id}`);

  it("have the next due time and the configuration's id", async () => {
    await parts.entries.update(id);

    const found = await scheduler();
    assert.deepEqual([found?.pattern, found?.tz, found?.next], [HOURLY, 'UTC', nextDue(HOURLY, Date.now())]);
    assert.deepEqual(found?.template?.data, { configurationId: id });
  });

  it('follow the record, whichever of several processes comes last', async () => {
    await parts.entries.update(id);
    const other = await world.open();

    await Promise.all([
      world.setUp(parts, { schedule: DAILY }).then(() => parts.entries.update(id)),
      other.entries.update(id),
      other.entries.update(id),
    ]);

    assert.equal((await scheduler())?.pattern, DAILY);
  });

  it('follow the record despite a slow process with an earlier schedule', async () => {
    const entries = new CronEntries(parts.queues, 'maintenance');
    const set = entries.set.bind(entries);
    let isFirst = true;
    entries.set = async (entry) => {
      if (isFirst) {
        isFirst = false;
        await world.setUp(parts, { schedule: DAILY });
        await parts.entries.update(id);
      }
      await set(entry);
    };

    await new DueEntries(entries, parts.store).update(id);

    assert.equal((await scheduler())?.pattern, DAILY);
  });

  it('are gone with the configuration', async () => {
    await parts.entries.update(id);
    await parts.store.remove('p1', 'v1');

    await parts.entries.update(id);

    assert.equal(await scheduler(), undefined);
    const queue = await parts.queues.open('maintenance');
    assert.equal(await queue.getDelayedCount(), 0);
  });

  it('are restored if lost or outdated, and otherwise unchanged', async () => {
    assert.deepEqual(await parts.entries.reconcile([id], assert.fail), [id], 'lost');
    const { next } = (await scheduler()) ?? {};
    assert.deepEqual(await parts.entries.reconcile([id], assert.fail), []);
    assert.equal((await scheduler())?.next, next);
    const queue = await parts.queues.open('maintenance');
    await queue.remove(`repeat:auto-backup.${id}:${next}`).catch(() => {});
    await parts.redis.queue.del(queue.toKey(`repeat:auto-backup.${id}:${next}`));
    assert.deepEqual(await parts.entries.reconcile([id], assert.fail), [id], 'without its next entry');
    await world.setUp(parts, { schedule: DAILY });
    assert.deepEqual(await parts.entries.reconcile([id], assert.fail), [id], 'of an earlier schedule');
    assert.equal((await scheduler())?.pattern, DAILY);
  });

  it('are removed when they have no configuration, and other schedulers stay', async () => {
    await parts.queues.schedule('maintenance', 'maintenance.sweep', 60_000);
    await parts.entries.update(id);
    await parts.store.remove('p1', 'v1');

    assert.deepEqual(await parts.entries.reconcile([], assert.fail), [id]);

    const queue = await parts.queues.open('maintenance');
    assert.deepEqual(
      (await queue.getJobSchedulers()).map(({ key }) => key),
      ['maintenance.sweep'],
    );
  });

  it('are restored beside one whose record only a newer release can read', async () => {
    const newer = (await world.setUp(parts, { schedule: HOURLY, volumeId: 'v2' })) ?? '';
    await parts.entries.update(newer);
    await parts.redis.store.hset(autoBackupKeys.record(newer), 'form', '99');
    const left: string[] = [];

    const changed = await parts.entries.reconcile([newer, id], (_error, one) => left.push(one));

    assert.deepEqual([changed, left], [[id], [newer]]);
    const queue = await parts.queues.open('maintenance');
    assert.equal((await queue.getJobSchedulers()).length, 2);
  });
});
