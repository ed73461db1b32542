import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId, Sealer } from '@gateway/core';
import { CredentialStore, jobKeys, newRecord, Producer, Queues, readJob, toHash } from '@gateway/jobs';
import { findLiteClusterDeletion, type LiteCluster, LiteClusterStore } from '@gateway/lite';
import type { DelegatedIdentity } from '@gateway/openstack';
import { createLogger } from '@gateway/platform';
import type { RedisConnections } from '@gateway/store';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { reconcileClusters } from '../../../apps/worker/src/maintenance/reconcile-clusters.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { TestStore } from '../../support/redis/test-redis.ts';

const HOUR_MS = 3_600_000;

function sealingKeys() {
  return [{ id: newId().slice(0, 8), key: randomBytes(32) }];
}

describe('the reconciling of cluster records', () => {
  const store = new TestStore();
  let redis: RedisConnections;
  let queues: Queues;
  let clusters: LiteClusterStore;
  let worker: WorkerContext;

  before(async () => {
    redis = await store.connect();
    queues = new Queues(redis.queue, store.prefix);
    const sealer = new Sealer(sealingKeys());
    clusters = new LiteClusterStore({ redis: redis.store, sealer });
    worker = {
      liteClusters: clusters,
      redis,
      queues,
      producer: new Producer(
        redis.store,
        queues,
        new CredentialStore<DelegatedIdentity>(redis.store, sealer),
        {
          waitingLimit: 0,
        },
      ),
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, captureLogLines().stream),
      stopping: new AbortController(),
    } as unknown as WorkerContext;
  });

  after(async () => {
    await queues.close();
    await store.close();
  });

  async function record(createdAt = Date.now() - HOUR_MS): Promise<LiteCluster> {
    const id = newId();
    const parties = { projectId: 'p1', userId: 'u1', creationJobId: newId() };
    const asked = { name: id, keyName: null, networkId: null, agentFlavorId: 'f1', plugins: [] };
    await clusters.create({ id, ...parties, ...asked, createdAt });
    return (await clusters.read(id)) as LiteCluster;
  }

  async function creationJob(
    { creationJobId: id }: LiteCluster,
    fields: Record<string, string>,
  ): Promise<void> {
    const job = {
      id,
      type: 'lite.create',
      projectId: 'p1',
      userId: 'u1',
      requestId: 'req-1',
    } as const;
    await redis.store.hset(jobKeys.record(id), { ...toHash(newRecord(job)), createdAt: '1', ...fields });
  }

  it("discards a cluster without a queued creation after its request's end", async () => {
    const [old, recent] = [await record(), await record(Date.now())];

    await reconcileClusters(worker);

    assert.equal(await clusters.read(old.id), null);
    assert.equal((await clusters.read(recent.id))?.status, 'CREATING');
    assert.equal(await clusters.create({ ...old, id: newId() }), true, 'the name is free');
  });

  it('sets a cluster to ERROR whose creation has ended, with its reason', async () => {
    const cluster = await record();
    const failure = { status: 502, code: 'lite_install_failed', detail: 'No space left.' };
    await creationJob(cluster, { status: 'failed', failure: JSON.stringify(failure) });

    await reconcileClusters(worker);

    const { status, statusReason } = (await clusters.read(cluster.id)) as LiteCluster;
    assert.deepEqual([status, statusReason], ['ERROR', 'No space left.']);
  });

  it('keeps the record of a creation that was lost after its start', async () => {
    const cluster = await record();
    await clusters.update(cluster, { networkId: 'n1' }, ['CREATING']);

    await reconcileClusters(worker);

    const { status, statusReason } = (await clusters.read(cluster.id)) as LiteCluster;
    assert.deepEqual([status, statusReason?.includes('lost')], ['ERROR', true]);
  });

  it('leaves a creation alone that is running', async () => {
    const cluster = await record();
    await creationJob(cluster, { status: 'running' });

    await reconcileClusters(worker);

    assert.equal((await clusters.read(cluster.id))?.status, 'CREATING');
  });

  it('queues a deletion again that was lost, once', async () => {
    const cluster = await record();
    await clusters.update(cluster, { status: 'DELETED' }, ['CREATING']);

    await reconcileClusters(worker);
    await reconcileClusters(worker);

    const { id } = await findLiteClusterDeletion(redis.store, cluster.id);
    const job = await readJob(redis.store, id);
    assert.deepEqual([job?.type, job?.status, job?.resourceId], ['lite.delete', 'queued', cluster.id]);
    assert.equal(await queues.has('cleanup', id), true);
  });

  it('does not queue a deletion that has removed everything', async () => {
    const cluster = await record();
    await clusters.update(cluster, { status: 'DELETED' }, ['CREATING']);
    await clusters.finishRemoval(cluster, Date.now());

    await reconcileClusters(worker);

    assert.equal((await findLiteClusterDeletion(redis.store, cluster.id)).record, null);
  });

  it('encrypts secrets with the current key', async () => {
    const [oldKeys, newKeys] = [sealingKeys(), sealingKeys()];
    const before = new LiteClusterStore({ redis: redis.store, sealer: new Sealer(oldKeys) });
    const cluster = await record();
    await creationJob(cluster, { status: 'running' });
    await before.putSecrets(cluster, { nodeToken: 'join' });
    const rotated = new LiteClusterStore({
      redis: redis.store,
      sealer: new Sealer([...newKeys, ...oldKeys]),
    });

    await reconcileClusters({ ...worker, liteClusters: rotated });

    const after = new LiteClusterStore({ redis: redis.store, sealer: new Sealer(newKeys) });
    assert.equal(await after.readSecret(cluster, 'nodeToken'), 'join');
  });
});
