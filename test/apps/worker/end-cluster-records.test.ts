import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId, Sealer } from '@gateway/core';
import { claimMarks, LiteClusterStore } from '@gateway/lite';
import { createLogger } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { endClusterRecords } from '../../../apps/worker/src/maintenance/end-cluster-records.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { TestStore } from '../../support/redis/test-redis.ts';

const keepSeconds = 7_776_000;
const projectId = 'p1';

interface Removed {
  id: string;
  name: string;
  projectId: string;
}

describe('the end of the records of deleted clusters', () => {
  const store = new TestStore();
  let clusters: LiteClusterStore;
  let redis: Redis;
  let worker: WorkerContext;
  /** The clusters whose volumes exist; null while the service does not answer. */
  let withVolumes: string[] | null;
  let listed: number;

  before(async () => {
    redis = (await store.connect()).store;
    clusters = new LiteClusterStore({ redis, sealer: new Sealer([{ id: 'key', key: randomBytes(32) }]) });
    const list = async () => {
      listed += 1;
      if (withVolumes === null) throw new Error('unavailable');
      return withVolumes.map((id) => ({ id: newId(), metadata: { [claimMarks.volume]: id } }));
    };
    worker = {
      config: { lite: { deletedKeepSeconds: keepSeconds } },
      liteClusters: clusters,
      openstack: { as: () => null, forProject: () => ({ blockStorage: { volumes: { list } } }) },
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, captureLogLines().stream),
      stopping: new AbortController(),
    } as unknown as WorkerContext;
  });
  after(() => store.close());
  beforeEach(() => {
    withVolumes = [];
    listed = 0;
  });

  /** A cluster whose removal ended this long ago, with so many volumes then. */
  async function removed(secondsAgo: number, volumes = 0): Promise<Removed> {
    const cluster = { id: newId(), name: newId(), projectId };
    const asked = { userId: 'u1', keyName: null, networkId: null, agentFlavorId: 'f1', plugins: [] };
    await clusters.create({ ...cluster, ...asked, creationJobId: newId(), createdAt: 1 });
    const keptStorage = { volumes, shares: 0, snapshots: 0 };
    await clusters.update(cluster, { status: 'DELETED', keptStorage }, ['CREATING']);
    await clusters.finishRemoval(cluster, Date.now() - secondsAgo * 1000);
    return cluster;
  }

  const exists = async ({ id }: Removed) => (await clusters.read(id)) !== null;

  it('comes the configured time after the removal of their resources', async () => {
    const [old, young] = [await removed(keepSeconds + 60), await removed(keepSeconds - 60)];

    await endClusterRecords(worker);

    assert.deepEqual([await exists(old), await exists(young)], [false, true]);
    assert.equal(listed, 0, 'nothing is counted for clusters without storage');
  });

  it('waits for the end of the storage that they kept', async () => {
    const [kept, gone] = [await removed(keepSeconds + 60, 2), await removed(keepSeconds + 60, 1)];
    withVolumes = [kept.id];

    await endClusterRecords(worker);

    assert.deepEqual([await exists(kept), await exists(gone)], [true, false]);
    withVolumes = [];
    await endClusterRecords(worker);
    assert.equal(await exists(kept), true, 'not counted again at once');
    await clusters.finishRemoval(kept, 1);
    await endClusterRecords(worker);
    assert.equal(await exists(kept), false);
  });

  it('does not wait for one that cannot be read', async () => {
    const [odd, other] = [await removed(keepSeconds + 120), await removed(keepSeconds + 60)];
    await redis.hset(`{lite}:cluster:${odd.id}`, 'status', '{');

    await endClusterRecords(worker);

    assert.equal(await exists(other), false);
  });

  it('waits while the storage cannot be counted', async () => {
    const cluster = await removed(keepSeconds + 60, 1);
    withVolumes = null;

    await endClusterRecords(worker);

    assert.equal(await exists(cluster), true);
  });
});
