import assert from 'node:assert/strict';
import type { AutoBackups } from '@gateway/auto-backup';
import { BackupsInRedis } from './backups-in-redis.ts';

const HOUR_MS = 3_600_000;

describe('the configurations of auto backups', () => {
  let world: BackupsInRedis;
  let backups: AutoBackups;
  beforeEach(async () => {
    world = new BackupsInRedis();
    backups = await world.open();
  });
  afterEach(() => world.store.close());

  const read = async (id: string | null) => {
    const record = await backups.store.read(id ?? '');
    assert.ok(record);
    return record;
  };

  it('keep their id and their outcomes when they are replaced', async () => {
    const first = await world.setUp(backups);
    await backups.store.recordOutcome(first ?? '', 1, { status: 'failed', error: 'No room.', at: 2 });
    world.clock.ms += HOUR_MS;

    const second = await world.setUp(backups, {
      schedule: '0 3 * * *',
      retention: 7,
      prefix: 'daily',
      fullEvery: 4,
    });

    assert.equal(second, first);
    const { sealedDelegation: _sealed, ...record } = await read(second);
    assert.deepEqual(record, {
      id: first,
      projectId: 'p1',
      volumeId: 'v1',
      userId: 'u1',
      schedule: '0 3 * * *',
      retention: 7,
      prefix: 'daily',
      fullEvery: 4,
      version: 2,
      enabled: true,
      createdAt: world.clock.ms - HOUR_MS,
      updatedAt: world.clock.ms,
      handledUntil: world.clock.ms,
      missingSince: null,
      last: { status: 'failed', error: 'No room.', at: 2 },
      lastOkAt: null,
    });
  });

  it('have when a run last ended well', async () => {
    const id = (await world.setUp(backups)) ?? '';
    const outcomes = ['failed', 'ok', 'skipped', 'failed'] as const;

    const remembered = [];
    for (const [due, status] of outcomes.entries()) {
      await backups.store.recordOutcome(id, due, { status, error: null, at: due + 10 });
      remembered.push((await read(id)).lastOkAt);
    }

    assert.deepEqual(remembered, [null, 11, 11, 11]);
  });

  it('are read of all projects, oldest first', async () => {
    const first = await world.setUp(backups);
    world.clock.ms += HOUR_MS;
    const second = await world.setUp(backups, { projectId: 'p2' });

    const all = await backups.store.readAll();

    assert.deepEqual(
      all.map(({ id }) => id),
      [first, second],
    );
  });

  it('accept due times of the same schedule, not of an earlier one', async () => {
    const id = await world.setUp(backups);
    const { handledUntil } = await read(id);
    world.clock.ms += HOUR_MS;
    await world.setUp(backups);
    assert.equal((await read(id)).handledUntil, handledUntil);

    await world.setUp(backups, { schedule: '5 * * * *' });

    assert.equal((await read(id)).handledUntil, world.clock.ms);
  });

  it("count no coming due time as handled, by the store's clock", async () => {
    world.clock.ms = Date.now() + 9 * HOUR_MS;
    const id = (await world.setUp(backups)) ?? '';
    const handledUntil = async () => (await read(id)).handledUntil;
    const isPast = async () => (await handledUntil()) <= Date.now();
    assert.ok(await isPast(), 'set up');

    const { store } = backups;
    const set = (enabled: boolean) => store.setEnabled('p1', 'v1', { enabled, now: world.clock.ms });
    await set(false);
    await set(true);
    assert.ok(await isPast(), 'resumed');

    const repairs = { 'set up again': () => world.setUp(backups), 'resumed again': () => set(true) };
    for (const [what, repair] of Object.entries(repairs)) {
      await store.markHandled(id, world.clock.ms);
      assert.equal(await handledUntil(), world.clock.ms);
      await repair();
      assert.ok(await isPast(), what);
    }
    await store.import({ ...(await read(id)), handledUntil: world.clock.ms }, { overwrite: true });
    assert.ok(await isPast(), 'imported');
  });

  it('are one per volume and project', async () => {
    const ids = [
      await world.setUp(backups),
      await world.setUp(backups, { volumeId: 'v2' }),
      await world.setUp(backups, { projectId: 'p2' }),
    ];

    assert.equal(new Set(ids).size, 3);
    const own = await backups.store.readOfProject('p1');
    assert.deepEqual(
      own.map(({ volumeId }) => volumeId),
      ['v1', 'v2'],
    );
    assert.equal(await backups.store.readOfVolume('p2', 'v2'), null);
    assert.deepEqual(new Set(await backups.store.allIds()), new Set(ids));
  });

  it('are written once, however often the write is sent', async () => {
    const { intent, sealed } = await backups.delegations.create(world.identity, { requestId: 'r' });
    const changes = { intent, sealedDelegation: sealed };

    const ids = await Promise.all([1, 2].map(() => world.setUp(backups, changes)));

    assert.equal(ids[0], ids[1]);
    assert.equal((await read(ids[0] ?? '')).version, 1);
  });

  it('retire exactly the unused delegations in concurrent replacements', async () => {
    await world.setUp(backups);

    await Promise.all([world.setUp(backups), world.setUp(backups)]);
    await backups.delegations.revokeRetired({ requestId: 'r' });

    const [record] = await backups.store.readOfProject('p1');
    const { trustId } = backups.delegations.open(record?.sealedDelegation ?? '');
    assert.deepEqual(world.trusts.ids, [trustId]);
  });

  it('are deleted when removed, unless they have been replaced', async () => {
    const first = (await world.setUp(backups)) ?? '';
    assert.equal(await backups.store.remove('p1', 'v1', 'another'), null);

    assert.equal(await backups.store.remove('p1', 'v1', first), first);

    assert.equal(await backups.store.remove('p1', 'v1'), null);
    assert.equal(await backups.store.read(first), null);
    assert.deepEqual(await backups.store.allIds(), []);
    assert.equal(await backups.store.markHandled(first, 1), false);
    await backups.store.recordOutcome(first, 1, { status: 'ok', error: null, at: 1 });
    assert.equal(await backups.store.read(first), null, 'a run that ends later writes nothing');
    assert.notEqual(await world.setUp(backups), first);
  });

  it('are counted while their last run has failed', async () => {
    const id = (await world.setUp(backups)) ?? '';
    const other = (await world.setUp(backups, { volumeId: 'v2' })) ?? '';
    const end = (of: string, due: number, status: 'ok' | 'failed') =>
      backups.store.recordOutcome(of, due, { status, error: null, at: due });
    await end(id, 1, 'failed');
    await end(id, 2, 'failed');
    await end(other, 2, 'failed');
    assert.equal(await backups.store.countFailed(), 2);

    await end(id, 3, 'ok');
    await end(id, 2, 'failed');
    assert.equal(await backups.store.countFailed(), 1, 'the last run was in order');

    await backups.store.remove('p1', 'v2');
    assert.equal(await backups.store.countFailed(), 0);
  });

  it('keep the outcome of the later run, and count skips once', async () => {
    const id = (await world.setUp(backups)) ?? '';
    const due = world.clock.ms + HOUR_MS;
    const skipped = { status: 'skipped', error: 'Busy.', at: 5 } as const;
    await backups.store.markHandled(id, due);
    await backups.store.markHandled(id, due, skipped);
    assert.equal((await read(id)).last, null, 'the due time was handled before');
    await backups.store.markHandled(id, due + HOUR_MS, skipped);
    assert.deepEqual((await read(id)).last, skipped);

    await backups.store.recordOutcome(id, due + 2 * HOUR_MS, { status: 'ok', error: null, at: 7 });
    await backups.store.recordOutcome(id, due, { status: 'failed', error: 'Late.', at: 8 });

    assert.deepEqual((await read(id)).last, { status: 'ok', error: null, at: 7 });
  });
});
