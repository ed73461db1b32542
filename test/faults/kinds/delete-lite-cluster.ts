import { deleteLiteClusterSteps } from '../../../apps/worker/src/sagas/delete-lite-cluster/index.ts';
import { eventually } from '../../support/eventually.ts';
import { readCluster } from '../../support/lite/clusters.ts';
import type { Kind } from '../kind.ts';
import type { Rig } from '../rig.ts';
import { activeCluster } from './active-lite-cluster.ts';

/** The deletion of a cluster with an agent, and with a load balancer of a service in the cluster. */
export const deleteLiteCluster: Kind = {
  name: 'delete lite cluster',
  jobType: 'lite.delete',
  steps: deleteLiteClusterSteps.map(({ name }) => name),
  entries: {
    'mark-deleted': 'no call',
    'stop-jobs': 'no call',
    'find-load-balancers': [
      { label: 'load-balancers', service: 'load-balancer', operation: 'loadbalancers.list', isRead: true },
      { label: 'later-cluster', service: 'compute', operation: 'servers.list_detail', isRead: true },
    ],
    'load-balancers': [
      { label: 'floating-ip', service: 'network', operation: 'floating_ips.delete' },
      { label: 'load-balancer', service: 'load-balancer', operation: 'loadbalancers.delete' },
    ],
    nodes: 'no call',
    'look-up': [{ service: 'compute', operation: 'servers.list_detail', nth: 2, isRead: true }],
    machines: [
      { label: 'agent', service: 'compute', operation: 'servers.delete' },
      { label: 'control-node', service: 'compute', operation: 'servers.delete', nth: 2 },
    ],
    resources: [
      { label: 'floating-ip', service: 'network', operation: 'floating_ips.delete', nth: 2 },
      { label: 'port', service: 'network', operation: 'ports.delete' },
      { label: 'security-group', service: 'network', operation: 'security_groups.delete' },
      { label: 'credential', service: 'identity', operation: 'application_credentials.delete' },
      { label: 'key', service: 'key-manager', operation: 'secrets.delete' },
    ],
    recheck: [{ service: 'compute', operation: 'servers.list_detail', nth: 3, isRead: true }],
    'late-resources': 'no call',
    // Rules are deleted only if no other cluster of the user has them.
    'access-rules': [{ service: 'identity', operation: 'access_rules.list', isRead: true }],
    'kept-storage': 'no call',
    secrets: 'no call',
  },
  lists: [
    {
      service: 'load-balancer',
      operation: 'loadbalancers.list',
      meanwhile: 'ends',
      hides: ['load_balancers', 'floating_ips', 'ports'],
    },
    // It also shows whether the load balancers belong to a later cluster.
    {
      service: 'compute',
      operation: 'servers.list_detail',
      meanwhile: 'ends',
      hides: ['load_balancers', 'floating_ips', 'ports'],
    },
    { service: 'block-storage', operation: 'volumes.list_detail', meanwhile: 'ends' },
    // The port that is not found keeps the security group.
    {
      service: 'network',
      operation: 'ports.list',
      meanwhile: 'ends',
      hides: ['ports', 'floating_ips', 'security_groups'],
    },
    // A load balancer goes only with its floating IPs.
    {
      service: 'network',
      operation: 'floating_ips.list',
      meanwhile: 'ends',
      hides: ['load_balancers', 'floating_ips', 'ports'],
    },
    { service: 'network', operation: 'security_groups.list', meanwhile: 'ends' },
    // The record names the credential, unless the store was set back.
    { service: 'identity', operation: 'application_credentials.list', meanwhile: 'ends' },
  ],
  completed: {
    servers: -2,
    volumes: -2,
    attachments: -2,
    ports: -3,
    floating_ips: -2,
    load_balancers: -1,
    security_groups: -1,
    application_credentials: -1,
    secrets: -1,
  },
  runsSlowFaults: true,
  isCancellable: false,
  async prepare(rig) {
    const id = await activeCluster(rig, 1);
    await createBalancer(rig, (await readCluster(rig.gateway(), id)).name);
    await rig.control.clearCalls();
    return id;
  },
  async start(rig, id, requestId) {
    return rig.startJob(requestId, 'DELETE', `/api/lite/clusters/${id}`);
  },
  async inspect(rig, id) {
    const { agent_count, server_vm_id, status, status_reason } = await readCluster(rig.gateway(), id);
    const told = { agent_count, server_vm_id, status, status_reason };
    const isTrue =
      status === 'DELETED' && status_reason === null && agent_count === 0 && server_vm_id === null;
    const secrets = await rig.stored.secretsOf(id);
    return [
      ...(isTrue ? [] : [`the record tells ${JSON.stringify(told)}`]),
      ...(secrets.length === 0 ? [] : [`the record holds ${secrets.join(', ')}`]),
    ];
  },
};

/** A load balancer as the cloud controller of the cluster creates it, with a floating IP. */
async function createBalancer(rig: Rig, clusterName: string): Promise<void> {
  const { cloud } = rig;
  const first = async (path: string, key: string) =>
    (await cloud.call<Record<string, { id: string }[]>>('network', 'GET', path))[key]?.[0]?.id ?? '';
  const subnetId = await first(`/v2.0/subnets?project_id=${cloud.projectId}`, 'subnets');
  const { loadbalancer } = await cloud.call<{ loadbalancer: { id: string; vip_port_id: string } }>(
    'load-balancer',
    'POST',
    '/v2.0/lbaas/loadbalancers',
    {
      loadbalancer: {
        name: `kube_service_${clusterName}_default_web`,
        description: `Kubernetes external service default/web from cluster ${clusterName}`,
        vip_subnet_id: subnetId,
      },
    },
  );
  await eventually(async () => {
    const { loadbalancer: made } = await cloud.call<{ loadbalancer: { provisioning_status: string } }>(
      'load-balancer',
      'GET',
      `/v2.0/lbaas/loadbalancers/${loadbalancer.id}`,
    );
    return made.provisioning_status === 'ACTIVE';
  });
  await cloud.call('network', 'POST', '/v2.0/floatingips', {
    floatingip: {
      floating_network_id: await first('/v2.0/networks?router:external=true', 'networks'),
      port_id: loadbalancer.vip_port_id,
      description: `Floating IP for Kubernetes external service default/web from cluster ${clusterName}`,
    },
  });
}
