import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId, Sealer } from '@gateway/core';
import { type LiteClusterStatus, LiteClusterStore, readLiteClusterOwners } from '@gateway/lite';
import { TestStore } from '../../support/redis/test-redis.ts';

describe('the clusters that own resources', () => {
  const store = new TestStore();
  let clusters: LiteClusterStore;

  before(async () => {
    const sealer = new Sealer([{ id: 'key', key: randomBytes(32) }]);
    clusters = new LiteClusterStore({ redis: (await store.connect()).store, sealer });
  });

  after(() => store.close());

  async function clusterIn(status: LiteClusterStatus): Promise<{ id: string; creationJobId: string }> {
    const cluster = { id: newId(), name: newId(), projectId: 'p1', creationJobId: newId() };
    const asked = { userId: 'u1', keyName: null, networkId: null, agentFlavorId: 'f1', plugins: [] };
    await clusters.create({ ...cluster, ...asked, createdAt: Date.now() });
    await clusters.update(cluster, { status }, ['CREATING']);
    return cluster;
  }

  it("exist or are being removed, and have their creation's job", async () => {
    const [creating, active, removing, gone] = [
      await clusterIn('CREATING'),
      await clusterIn('ACTIVE'),
      await clusterIn('DELETED'),
      await clusterIn('DELETED'),
    ];
    await clusters.finishRemoval({ ...gone, name: '', projectId: 'p1' }, Date.now());

    const asked = [gone.id, removing.id, newId(), 'open', ''];
    const { clusters: found, creationJobIds } = await readLiteClusterOwners(clusters, asked);

    assert.deepEqual(
      Object.fromEntries(found),
      Object.fromEntries([
        [creating.id, 'present'],
        [active.id, 'present'],
        [removing.id, 'removing'],
        [gone.id, 'gone'],
      ]),
    );
    assert.deepEqual(
      [...creationJobIds].sort(),
      [creating, active, removing].map(({ creationJobId }) => creationJobId).sort(),
    );
  });
});
