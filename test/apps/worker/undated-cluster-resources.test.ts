import assert from 'node:assert/strict';
import { CLUSTER_METADATA_KEY } from '@gateway/core';
import type { LiteCluster } from '@gateway/lite';
import type { ProjectClient } from '@gateway/openstack';
import { createLogger } from '@gateway/platform';
import { findOwnLoadBalancers } from '../../../apps/worker/src/sagas/delete-lite-cluster/find-load-balancers.ts';
import { findResources } from '../../../apps/worker/src/sagas/delete-lite-cluster/find-resources.ts';
import type { DeleteLiteClusterStepContext } from '../../../apps/worker/src/sagas/delete-lite-cluster/saga.ts';
import { Searches } from '../../../apps/worker/src/sagas/resources/searches.ts';

const CREATED_AT = Date.parse('2026-05-01T00:00:00Z');
const cluster = {
  id: 'c1',
  name: 'shop',
  userId: 'user',
  plugins: ['cloud_controller'],
  agents: [{ vmId: 'vm-1', volumeId: 'recorded' }],
  serverVmId: 'vm-0',
  creationJobId: 'j1',
  createdAt: CREATED_AT,
  securityGroupId: null,
  credential: { id: 'credential', userId: 'user' },
  keyId: null,
} as unknown as LiteCluster;

interface Rows {
  balancers?: { id: string; created_at: string | null | undefined; vip_port_id?: string }[];
  /** Ports with a floating IP that a cluster with this name has created. */
  addressed?: string[];
  volumes?: {
    id: string;
    created_at: string | null | undefined;
    attachments?: object[] | null;
    metadata?: object;
  }[];
  /** The later cluster with the same name. */
  successor?: Partial<LiteCluster>;
  /** When the control nodes of clusters with this name were created, by the ids of their clusters. */
  machines?: Record<string, string>;
}

function contextOf({
  balancers = [],
  addressed = [],
  volumes = [],
  successor,
  machines = {},
}: Rows): DeleteLiteClusterStepContext {
  const none = { list: async () => [] };
  const servers = Object.entries(machines).map(([clusterId, created]) => ({
    id: `vm-of-${clusterId}`,
    name: 'shop-server',
    tenant_id: 'p1',
    created,
    metadata: { [CLUSTER_METADATA_KEY]: clusterId },
  }));
  const addresses = addressed.map((portId) => ({
    id: `address of ${portId}`,
    port_id: portId,
    description: 'Floating IP for Kubernetes external service default/web from cluster shop',
  }));
  const client = {
    compute: { servers: { list: async () => servers } },
    network: { floatingIps: { list: async () => addresses }, ports: none, securityGroups: none },
    blockStorage: {
      volumes: {
        list: async () =>
          volumes.map((row) => ({
            status: 'in-use',
            attachments: [],
            metadata: { [CLUSTER_METADATA_KEY]: 'c1' },
            ...row,
          })),
      },
    },
    loadBalancer: {
      loadBalancers: {
        list: async () =>
          balancers.map((row) => ({
            name: 'kube_service_shop_default_web',
            project_id: 'p1',
            vip_port_id: null,
            ...row,
          })),
      },
    },
  };
  return {
    projectId: 'p1',
    state: { cluster },
    config: { timeLimits: { liteCallbackSeconds: 600, serverSeconds: 60, volumeSeconds: 60 } },
    logger: createLogger({ level: 'error', format: 'json', service: 'worker' }),
    remover: () => client as unknown as ProjectClient,
    requesterId: null,
    undelegatedOwner: () => ({ identity: { applicationCredentials: none } }),
    liteClusters: {
      readOfProject: async () => [
        cluster,
        ...(successor === undefined ? [] : [{ ...cluster, ...successor }]),
      ],
    },
  } as unknown as DeleteLiteClusterStepContext;
}

/** The ids of the load balancers that a deletion takes, and those that it names as left. */
async function balancersTaken(rows: Rows) {
  const context = contextOf(rows);
  const searches = new Searches(context);
  const found = await findOwnLoadBalancers(context, searches);
  return { taken: found.map(({ id }) => id), left: searches.left.map(({ type, id }) => `${type} ${id}`) };
}

const successor = { id: 'c2', createdAt: CREATED_AT + 3_600_000 };
const balancers = [
  { id: 'null', created_at: null },
  { id: 'absent', created_at: undefined },
  { id: 'before', created_at: '2026-05-01T00:30:00' },
  { id: 'after', created_at: '2026-05-01T01:30:00' },
];

describe('the load balancers that go with a lite cluster', () => {
  it("are left by name if they may be another cluster's", async () => {
    const left = ['load_balancer null', 'load_balancer absent'];

    assert.deepEqual(await balancersTaken({ balancers }), { taken: ['before', 'after'], left });
    assert.deepEqual(await balancersTaken({ balancers, successor }), { taken: ['before'], left });
  });

  it('are not those of an older cluster of the name', async () => {
    const older = { id: 'older', created_at: '2026-04-30T23:58:00' };
    const atOnce = { id: 'by a slower clock', created_at: '2026-04-30T23:59:30' };

    assert.deepEqual(await balancersTaken({ balancers: [older, atOnce] }), { taken: [atOnce.id], left: [] });
    assert.deepEqual((await balancersTaken({ balancers: [older], successor })).taken, []);
  });

  it('include those that only a fast clock makes older', async () => {
    const machines = { c1: '2026-04-30T20:00:00Z' };
    const later = { id: 'later', created_at: '2026-04-30T20:05:00' };
    const older = { id: 'older', created_at: '2026-04-30T19:05:00' };

    assert.deepEqual((await balancersTaken({ balancers: [older, later], machines })).taken, ['later']);
  });

  it('include floating IPs of their own addresses only', async () => {
    const foreign = { id: 'foreign', created_at: '2026-04-01T00:00:00', vip_port_id: 'port-foreign' };
    const own = { id: 'own', created_at: '2026-05-01T00:30:00', vip_port_id: 'port-own' };
    const context = contextOf({ balancers: [foreign, own], addressed: ['port-foreign', 'port-own'] });

    const found = await findOwnLoadBalancers(context, new Searches(context));

    assert.deepEqual(
      found.map(({ floatingIpIds }) => floatingIpIds),
      [['address of port-own']],
    );
  });

  it('are left to a later cluster without a record', async () => {
    const machines = { c0: '2026-04-01T00:00:00Z', c1: '2026-05-01T00:01:00Z', c2: '2026-05-01T01:00:00Z' };

    assert.deepEqual((await balancersTaken({ balancers, machines })).taken, ['before']);
  });
});

describe('the volumes that go with a lite cluster', () => {
  it('are not those into which a user restored a backup', async () => {
    const made = '2026-05-01T00:05:00';
    const attachments = [{ server_id: 'vm-1' }];
    const metadata = { [CLUSTER_METADATA_KEY]: 'c1', src_backup_id: 'backup' };
    const context = contextOf({
      volumes: [
        { id: 'node', created_at: '2026-05-20T00:00:00', attachments },
        { id: 'by a slower clock', created_at: '2026-04-30T23:59:30', attachments },
        { id: 'restored', created_at: made, metadata },
        { id: 'restored and attached', created_at: made, attachments, metadata },
        { id: 'older', created_at: '2026-04-30T23:58:00' },
        { id: 'older and attached', created_at: '2026-04-30T23:58:00', attachments },
      ],
    });
    const searches = new Searches(context);

    const { volumeIds } = await findResources(context, searches);

    assert.deepEqual([volumeIds, searches.left], [['recorded', 'node', 'by a slower clock'], []]);
  });

  it('are left by name if undated or of unknown use', async () => {
    const context = contextOf({
      volumes: [
        { id: 'recorded', created_at: null },
        { id: 'undated', created_at: null },
        { id: 'made', created_at: '2026-05-01T00:05:00' },
        { id: 'used', created_at: '2026-05-01T00:05:00', attachments: [{ server_id: null }] },
        { id: 'unknown', created_at: '2026-05-01T00:05:00', attachments: null },
        { id: 'restored', created_at: '2026-06-01T00:05:00' },
      ],
    });
    const searches = new Searches(context);
    const { volumeIds } = await findResources(context, searches);

    assert.deepEqual(volumeIds, ['recorded', 'made']);
    assert.deepEqual(
      searches.left.map(({ type, id }) => `${type} ${id}`),
      ['volume undated', 'volume unknown'],
    );
  });
});
