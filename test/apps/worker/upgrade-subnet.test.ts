import assert from 'node:assert/strict';
import type { LiteCluster } from '@gateway/lite';
import type { UpgradeLiteClusterStepContext } from '../../../apps/worker/src/sagas/upgrade-lite-cluster/saga.ts';
import { planUpgrade } from '../../../apps/worker/src/sagas/upgrade-lite-cluster/steps/plan.ts';

const VERSION = 'v1.36.1+k3s1';

const cluster = {
  id: '11111111-2222-3333-4444-555555555555',
  name: 'shop',
  status: 'ACTIVE',
  plugins: ['cloud_controller'],
  pluginStatus: null,
  agents: [],
  heldNumbers: [],
  credential: null,
  isCredentialLost: false,
  networkId: 'n1',
  fixedIp: '10.42.0.9',
  k3sVersion: VERSION,
  upgrade: null,
} as unknown as LiteCluster;

describe('the subnet of the nodes in an upgrade', () => {
  it('is that of the control node, whatever networks new clusters have', async () => {
    const network = { id: 'n1', name: 'net', 'router:external': true };
    const subnets = [
      { id: 's1', cidr: '10.1.0.0/24', ip_version: 4 },
      { id: 's2', cidr: '10.42.0.0/24', ip_version: 4 },
    ];
    const api = {
      listNodes: async () => [{ name: 'shop-server', ready: true, kubeletVersion: VERSION }],
      readSecret: async () => null,
      close: () => {},
    };
    const k3s = { version: VERSION, upgradeVersions: [] };
    const context = {
      clusterId: cluster.id,
      config: {
        lite: { k3s, podCidr: '10.42.0.0/16', serviceCidr: '10.43.0.0/16' },
        instances: {},
      },
      input: { version: VERSION },
      kubernetes: async () => api,
      liteClusters: { read: async () => cluster, update: async () => true },
      owner: () => ({
        network: { networks: { get: async () => network }, subnets: { list: async () => subnets } },
      }),
    } as unknown as UpgradeLiteClusterStepContext;

    const { upgradePlan } = await planUpgrade.run(context);

    assert.deepEqual(upgradePlan?.plugins?.plan.network, { subnetId: 's2', subnetCidr: '10.42.0.0/24' });
  });
});
