import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId, Sealer } from '@gateway/core';
import { LiteClusterStore } from '@gateway/lite';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../support/redis/test-redis.ts';

interface Created {
  id: string;
  name: string;
  projectId: string;
}

describe('the records of deleted clusters', () => {
  const store = new TestStore();
  /** The keys of the records that were read. */
  const reads: string[] = [];
  let clusters: LiteClusterStore;
  let projectId: string;

  before(async () => {
    const { store: redis } = await store.connect();
    const counted = new Proxy(redis, {
      get(target, name) {
        if (name === 'hgetall') {
          return (key: string) => {
            reads.push(key);
            return target.hgetall(key);
          };
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }) as Redis;
    const sealer = new Sealer([{ id: 'key', key: randomBytes(32) }]);
    clusters = new LiteClusterStore({ redis: counted, sealer });
  });
  after(() => store.close());
  beforeEach(() => {
    projectId = newId();
    reads.length = 0;
  });

  async function create(createdAt: number, name = newId()): Promise<Created> {
    const cluster = { id: newId(), name, projectId };
    const asked = { userId: 'u1', keyName: null, networkId: null, agentFlavorId: 'f1', plugins: [] };
    await clusters.create({ ...cluster, ...asked, creationJobId: newId(), createdAt });
    return cluster;
  }

  async function deleted(createdAt: number, name?: string): Promise<Created> {
    const cluster = await create(createdAt, name);
    await clusters.update(cluster, { status: 'DELETED' }, ['CREATING']);
    return cluster;
  }

  const idsOf = (found: { id: string }[]) => found.map(({ id }) => id);

  it('are not read for the list of the other clusters', async () => {
    const [young, , old] = [await create(3_000), await deleted(2_000), await create(1_000)];

    const open = await clusters.readOpenOfProject(projectId);

    assert.deepEqual(idsOf(open), [old.id, young.id]);
    assert.equal(reads.length, 2);
    assert.equal((await clusters.readOfProject(projectId)).length, 3);
  });

  it('leave the name to their successor', async () => {
    await deleted(1_000, 'web');
    const successor = await create(2_000, 'web');
    const { id } = await deleted(500, 'other');

    assert.deepEqual(idsOf(await clusters.readOpenOfProject(projectId)), [successor.id]);
    await clusters.finishRemoval({ id, name: 'other', projectId }, 10);
    await clusters.removeRecord({ id, name: 'other', projectId });

    assert.equal(await clusters.read(id), null);
    assert.equal((await clusters.readOfProject(projectId)).length, 2);
    assert.deepEqual(idsOf(await clusters.readOpenOfProject(projectId)), [successor.id]);
  });

  it('can end only after the removal of the resources', async () => {
    const [removing, removed, active] = [await deleted(1), await deleted(2), await create(3)];
    await clusters.finishRemoval(removed, 5_000);
    await clusters.finishRemoval(active, 5_000);

    const before = await clusters.idsRemovedBefore(5_000, 10);
    const after = await clusters.idsRemovedBefore(5_001, 10);
    for (const cluster of [removing, removed, active]) await clusters.removeRecord(cluster);

    assert.equal(before.includes(removed.id), false);
    assert.deepEqual(
      [removing, removed, active].map(({ id }) => after.includes(id)),
      [false, true, false],
    );
    assert.deepEqual(idsOf(await clusters.readOfProject(projectId)), [removing.id, active.id]);
    assert.deepEqual(await clusters.idsRemovedBefore(5_001, 10), []);
  });
});
