import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId, Sealer } from '@gateway/core';
import { SupersededError } from '@gateway/jobs';
import { type LiteCluster, type LiteClusterAgent, LiteClusterStore } from '@gateway/lite';
import { createLogger } from '@gateway/platform';
import type { JobContext } from '../../../apps/worker/src/jobs/job-context.ts';
import { liteClusterContext } from '../../../apps/worker/src/processors/lite-cluster-context.ts';
import { recordClusterChange } from '../../../apps/worker/src/processors/record-cluster-change.ts';
import { removeAgent } from '../../../apps/worker/src/sagas/scale-lite-cluster/steps/remove-agent.ts';
import { TestStore } from '../../support/redis/test-redis.ts';

type Job = JobContext<'lite.scale'>;
type RemovalContext = Parameters<ReturnType<typeof removeAgent>['run']>[0];

const SECRET = { nextCredentialSecret: 'first' };

function agent(number: number): LiteClusterAgent {
  return { number, vmId: `vm-${number}`, volumeId: `volume-${number}` };
}

describe('a run of a job that changes a cluster', () => {
  const store = new TestStore();
  let clusters: LiteClusterStore;
  let cluster: LiteCluster;
  let isSuperseded: boolean;

  before(async () => {
    const sealer = new Sealer([{ id: 'key', key: randomBytes(32) }]);
    clusters = new LiteClusterStore({ redis: (await store.connect()).store, sealer });
  });
  after(() => store.close());

  /** An ACTIVE cluster with three agents. */
  beforeEach(async () => {
    isSuperseded = false;
    const key = { id: newId(), name: newId(), projectId: 'p1' };
    const asked = { userId: 'u1', keyName: null, networkId: null, agentFlavorId: 'f1', plugins: [] };
    await clusters.create({ ...key, ...asked, creationJobId: newId(), createdAt: 1_000 });
    await clusters.putSecrets(key, SECRET);
    const agents = [agent(1), agent(2), agent(3)];
    await clusters.update(key, { status: 'ACTIVE', agents }, ['CREATING']);
    cluster = (await clusters.read(key.id)) as LiteCluster;
  });

  /** The job of the run. */
  function job(): Job {
    const call = {
      beforeWrite: async () => {
        if (isSuperseded) throw new SupersededError('j1');
      },
    };
    const worker = { liteClusters: clusters, stopping: new AbortController() };
    return { call, payload: { clusterId: cluster.id }, worker } as unknown as Job;
  }

  const recorded = async () => ({
    record: await clusters.read(cluster.id),
    secrets: await Promise.all(
      (['credentialSecret', 'nextCredentialSecret'] as const).map((name) =>
        clusters.readSecret(cluster, name),
      ),
    ),
  });

  it('writes nothing once another run has ended the job', async () => {
    const { liteClusters } = liteClusterContext(job());
    const before = await recorded();
    isSuperseded = true;

    const writes = [
      () => liteClusters.update(cluster, { agents: [] }, ['ACTIVE']),
      () => liteClusters.update(cluster, () => ({ agents: [] }), ['ACTIVE']),
      () => liteClusters.updateDeleted(cluster, { agents: [] }),
      () => liteClusters.putSecrets(cluster, { nextCredentialSecret: 'second' }),
      () => liteClusters.adoptCredential(cluster, { id: 'c1', userId: 'u1' }),
      () => liteClusters.destroySecrets(cluster),
      () => liteClusters.discard(cluster),
      () => liteClusters.finishRemoval(cluster, 1_000),
      () => recordClusterChange(job(), null),
    ];
    for (const write of writes) await assert.rejects(write, SupersededError);

    assert.deepEqual(await recorded(), before);
  });

  /** Removes the agent 3 in a run that is frozen until its server is gone. */
  async function removeThird(meanwhile: () => Promise<unknown>): Promise<void> {
    const polls = { waitFor: meanwhile };
    const context = {
      ...liteClusterContext(job()),
      config: { timeLimits: { liteDrainSeconds: 1, serverSeconds: 1 }, jobs: {} },
      kubernetes: async () => null,
      logger: createLogger({ level: 'error', format: 'json', service: 'worker' }),
      ownerRemover: () => ({ compute: { servers: {} }, polls }),
      since: Date.now(),
      state: { removals: [agent(3), agent(2)] },
    };
    await removeAgent(1).run(context as unknown as RemovalContext);
  }

  it('brings no agent back that another run has removed', async () => {
    const removal = removeThird(async () => {
      await clusters.update(cluster, { agents: [agent(1)] }, ['ACTIVE']);
      isSuperseded = true;
    });

    await assert.rejects(removal, SupersededError);
    assert.deepEqual((await clusters.read(cluster.id))?.agents, [agent(1)]);
  });

  it('keeps what others have recorded during a removal', async () => {
    await removeThird(() => clusters.update(cluster, { heldNumbers: [4] }, ['ACTIVE']));

    const { agents, heldNumbers } = (await clusters.read(cluster.id)) as LiteCluster;
    assert.deepEqual({ agents, heldNumbers }, { agents: [agent(1), agent(2)], heldNumbers: [4, 3] });
  });
});
