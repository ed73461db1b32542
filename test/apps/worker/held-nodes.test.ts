import assert from 'node:assert/strict';
import { KubernetesError, type LiteCluster } from '@gateway/lite';
import { ParkedError } from '../../../apps/worker/src/saga/index.ts';
import { removeNodes } from '../../../apps/worker/src/sagas/scale-lite-cluster/index.ts';
import { planUpgrade } from '../../../apps/worker/src/sagas/upgrade-lite-cluster/steps/plan.ts';

const VERSION = 'v1.36.1+k3s1';

describe('the node of an agent whose server is gone', () => {
  let record: LiteCluster;
  let nodes: string[];
  let isFailing: boolean;
  beforeEach(() => {
    const fields = { id: 'c1', name: 'c', status: 'ACTIVE', k3sVersion: VERSION, agents: [], plugins: [] };
    record = { ...fields, heldNumbers: [2] } as unknown as LiteCluster;
    nodes = ['c-server', 'c-agent-2'];
    isFailing = false;
  });

  /** The context of a step that began this long ago. */
  function contextOf(seconds: number) {
    const deleteNode = async (name: string) => {
      const failure = { kind: 'status', isConnected: true, upstreamStatus: 503, reason: '503' } as const;
      if (isFailing) throw new KubernetesError(failure);
      nodes = nodes.filter((one) => one !== name);
    };
    const listNodes = async () => nodes.map((name) => ({ name, ready: true, kubeletVersion: VERSION }));
    const context = {
      clusterId: 'c1',
      config: {
        jobs: { pollIntervalMs: 1 },
        lite: { health: { requestSeconds: 5 }, k3s: { version: VERSION, upgradeVersions: [] } },
      },
      input: { version: VERSION },
      kubernetes: async () => ({ deleteNode, listNodes, close: () => {} }),
      liteClusters: {
        read: async () => record,
        update: async (_cluster: object, change: object | ((cluster: LiteCluster) => object)) => {
          record = { ...record, ...(typeof change === 'function' ? change(record) : change) };
          return true;
        },
      },
      logger: { warn: () => {} },
      since: Date.now() - seconds * 1000,
      state: {},
    };
    return context as unknown as Parameters<typeof removeNodes.run>[0] &
      Parameters<typeof planUpgrade.run>[0];
  }

  it('is removed at the end of a scaling, despite failed requests', async () => {
    isFailing = true;
    await assert.rejects(removeNodes.run(contextOf(0)), ParkedError);
    isFailing = false;

    await removeNodes.run(contextOf(1));

    assert.deepEqual([nodes, record.heldNumbers], [['c-server'], []]);
  });

  it('does not hold up a scaling for long', async () => {
    isFailing = true;

    await removeNodes.run(contextOf(60));

    assert.deepEqual(record.heldNumbers, [2]);
  });

  it('is removed before an upgrade, whose plugins would wait for it', async () => {
    await planUpgrade.run(contextOf(0));

    assert.deepEqual([nodes, record.heldNumbers], [['c-server'], []]);
  });
});
