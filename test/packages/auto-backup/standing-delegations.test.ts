import assert from 'node:assert/strict';
import type { AutoBackups } from '@gateway/auto-backup';
import { UpstreamError } from '@gateway/openstack';
import type { RedisConnections } from '@gateway/store';
import { BackupsInRedis } from './backups-in-redis.ts';

const call = { requestId: 'req-1' };
const NONE_IN_USE = async (): Promise<string[]> => [];
const LIMITS = { lateCallMs: 120_000, recheckMs: 900_000, sealedInUse: NONE_IN_USE };

function upstreamError(status: number): UpstreamError {
  return new UpstreamError(status, 'code', 'The service says no.', {
    service: 'identity',
    operation: 'trusts.create',
    upstreamStatus: status,
    upstreamMessage: null,
    upstreamRequestId: null,
  });
}

describe('the delegations of auto backups', () => {
  let world: BackupsInRedis;
  let backups: AutoBackups & { redis: RedisConnections };
  beforeEach(async () => {
    world = new BackupsInRedis();
    backups = await world.open();
  });
  afterEach(() => world.store.close());

  const intents = () => backups.redis.store.hlen('{auto-backup}:intents');

  it('leave out the administrator role where the user has another one', async () => {
    const { delegations } = backups;

    await delegations.create({ ...world.identity, roles: ['member', 'admin', 'reader'] }, call);
    await delegations.create({ ...world.identity, roles: ['admin'] }, call);

    assert.deepEqual(world.trusts.roles, [['member', 'reader'], ['admin']]);
  });

  it('last for years, and each expires at a time of its own', async () => {
    const created = await Promise.all(
      Array.from({ length: 20 }, () => backups.delegations.create(world.identity, call)),
    );

    const expiries = created.map(({ delegation }) => delegation.expiresAt);
    assert.equal(new Set(expiries).size, 20);
    for (const expiry of expiries) assert.match(expiry, /^203[67]-\d\d-\d\dT\d\d:\d\d:\d\d\.000000Z$/);
  });

  it('are not stored in plain text', async () => {
    await world.setUp(backups);
    await world.setUp(backups);

    const { store } = backups.redis;
    const [id = ''] = await backups.store.allIds();
    const stored = JSON.stringify([
      await store.hgetall(`{auto-backup}:configuration:${id}`),
      await store.hgetall('{auto-backup}:retired'),
      await store.hgetall('{auto-backup}:intents'),
    ]);
    assert.ok(stored.length > 100);
    assert.doesNotMatch(stored, /trust-/);
  });

  it('are encrypted with the current key, so that others can be removed', async () => {
    const id = (await world.setUp(backups)) ?? '';
    const [old] = world.sealingKeys;
    const current = { id: 'new', key: Buffer.alloc(32, 2) };
    world.sealingKeys = [current, ...(old === undefined ? [] : [old])];
    const rotating = await world.open();
    const before = await backups.store.read(id);
    assert.ok(before);

    await rotating.delegations.renewSeal(before);
    await rotating.delegations.renewSeal(before);

    world.sealingKeys = [current];
    const after = await world.open();
    const record = await after.store.read(id);
    assert.equal(after.delegations.open(record?.sealedDelegation ?? '').trustId, world.trusts.ids[0]);
  });

  it('are revoked although that fails for another one', async () => {
    await world.setUp(backups);
    await world.setUp(backups, { volumeId: 'v2' });
    await backups.store.remove('p1', 'v1');
    await backups.store.remove('p1', 'v2');
    const [first] = world.trusts.ids;
    const revoke = world.trusts.revoke.bind(world.trusts);
    const errors: unknown[] = [];
    world.trusts.revoke = async (delegation) => {
      if (delegation.trustId === first) throw upstreamError(502);
      return revoke(delegation);
    };

    const remaining = await backups.delegations.revokeRetired(call, {
      onError: (error) => errors.push(error),
    });

    assert.deepEqual([remaining, errors.length, world.trusts.ids], [1, 1, [first]]);
  });

  it('are revoked when their creator died before a configuration took them over', async () => {
    await backups.delegations.create(world.identity, call);
    await backups.delegations.sweepIntents(call, LIMITS);
    assert.equal(world.trusts.ids.length, 1, 'their creator may still be at work');
    world.clock.ms += LIMITS.lateCallMs;

    await backups.delegations.sweepIntents(call, LIMITS);

    assert.deepEqual(world.trusts.ids, []);
    assert.equal(await intents(), 1);
  });

  it('are searched for until no late call can create them any more', async () => {
    world.trusts.onCreate = () => {
      throw upstreamError(504);
    };
    await assert.rejects(backups.delegations.create(world.identity, call), { status: 504 });
    const [late] = [...world.trusts.existing];
    world.trusts.existing.clear();
    world.clock.ms += LIMITS.lateCallMs;
    await backups.delegations.sweepIntents(call, LIMITS);
    if (late !== undefined) world.trusts.existing.set(...late);

    world.clock.ms += LIMITS.recheckMs;
    await backups.delegations.sweepIntents(call, LIMITS);

    assert.deepEqual(world.trusts.ids, []);
    assert.equal(await intents(), 0);
  });

  it('are not taken over once the sweep has given them up', async () => {
    const { delegation, intent, sealed } = await backups.delegations.create(world.identity, call);
    world.clock.ms += LIMITS.lateCallMs;
    await backups.delegations.sweepIntents(call, LIMITS);

    const id = await world.setUp(backups, { intent, sealedDelegation: sealed });

    assert.equal(id, null);
    assert.deepEqual(await backups.store.allIds(), []);
    assert.ok(!world.trusts.existing.has(delegation.trustId));
  });

  it('are never revoked while in use, even with a shared expiry', async () => {
    const { intent, delegation } = await backups.delegations.create(world.identity, call);
    const id = (await world.setUp(backups)) ?? '';
    const record = await backups.store.read(id);
    const used = backups.delegations.open(record?.sealedDelegation ?? '');
    world.trusts.existing.set(used.trustId, { ...used, expiresAt: delegation.expiresAt });
    world.clock.ms += LIMITS.lateCallMs;

    await backups.delegations.sweepIntents(call, {
      ...LIMITS,
      sealedInUse: async () => [record?.sealedDelegation ?? ''],
    });

    assert.ok(intent.value.includes(delegation.expiresAt));
    assert.deepEqual(world.trusts.ids, [used.trustId]);
  });

  it('are left alone by the sweep once a configuration uses them', async () => {
    await world.setUp(backups);
    world.clock.ms += LIMITS.recheckMs;

    await backups.delegations.sweepIntents(call, LIMITS);
    await backups.delegations.revokeRetired(call);

    assert.equal(world.trusts.ids.length, 1);
  });

  it('leave no intent when the service refuses, and say why it does', async () => {
    world.trusts.onCreate = () => {
      world.trusts.existing.clear();
      throw upstreamError(403);
    };

    await assert.rejects(backups.delegations.create(world.identity, call), {
      status: 403,
      code: 'forbidden',
      message: /does not let you delegate/,
    });

    assert.equal(await intents(), 0);
  });

  it('are tried again with another expiry while that is taken', async () => {
    let refusals = 2;
    world.trusts.onCreate = () => {
      if (refusals === 0) return;
      refusals -= 1;
      world.trusts.existing.clear();
      throw upstreamError(409);
    };

    await world.setUp(backups);

    assert.equal(world.trusts.ids.length, 1);
    assert.equal(await intents(), 0);
  });

  it('are kept in the books until somebody may revoke them', async () => {
    const id = (await world.setUp(backups)) ?? '';
    await backups.store.remove('p1', 'v1');
    world.trusts.mayRevoke = false;
    assert.equal(await backups.delegations.revokeRetired(call), 1);
    assert.notEqual(await backups.delegations.retiredOf(id), null);
    world.trusts.mayRevoke = true;

    assert.equal(await backups.delegations.revokeRetired(call), 0);

    assert.deepEqual(world.trusts.ids, []);
    assert.equal(await backups.delegations.retiredOf(id), null);
  });

  it('wait for a run that still needs them', async () => {
    await world.setUp(backups);
    await backups.store.remove('p1', 'v1');

    await backups.delegations.revokeRetired(call, { isNeeded: async () => true });

    assert.equal(world.trusts.ids.length, 1);
  });
});
