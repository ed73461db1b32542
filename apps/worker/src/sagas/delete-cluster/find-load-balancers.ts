import { GatewayError, toTimestamp } from '@gateway/core';
import { type Cluster, isServiceLoadBalancer, type PluginKey } from '@gateway/lite';
import { type LoadBalancerRecord, UpstreamError } from '@gateway/openstack';
import { clusterOf, type DeleteClusterStepContext, type ServiceLoadBalancer } from './saga.ts';

/** The plugins that create load balancers. */
const CREATORS: readonly PluginKey[] = ['cloud_controller', 'lb_ingress'];

/**
 * The load balancers that programs in the cluster have created, for its services and ingresses: those with the cluster in
 * name and description, and with an address in the nodes' network. None in a cloud without load balancers.
 */
export async function findServiceLoadBalancers(
  context: DeleteClusterStepContext,
): Promise<ServiceLoadBalancer[]> {
  const cluster = clusterOf(context);
  const { networkId, plugins } = cluster;
  if (networkId === null || !plugins.some((key) => CREATORS.includes(key))) return [];
  const balancers = (await listBalancers(context)).filter((one) => isServiceLoadBalancer(cluster.name, one));
  if (balancers.length === 0) return [];
  const { network } = context.remover();
  const subnets = await network.subnets.list({ network_id: networkId });
  const successorAt = await createdAtOfSuccessor(context, cluster);
  const own = balancers.filter(
    ({ created_at, vip_subnet_id }) =>
      subnets.some(({ id }) => id === vip_subnet_id) &&
      Date.parse(toTimestamp(created_at) ?? '') < successorAt,
  );
  const portIds = own.flatMap(({ vip_port_id }) => vip_port_id ?? []);
  const addresses = portIds.length === 0 ? [] : await network.floatingIps.list({ port_id: portIds });
  return own.map(({ id, vip_port_id }) => ({
    id,
    floatingIpIds: addresses.filter(({ port_id }) => port_id === vip_port_id).map((address) => address.id),
  }));
}

async function listBalancers({
  projectId,
  remover,
}: DeleteClusterStepContext): Promise<LoadBalancerRecord[]> {
  try {
    const balancers = await remover().loadBalancer.loadBalancers.list({ project_id: projectId });
    return balancers.filter(({ project_id }) => project_id === projectId);
  } catch (error) {
    // The cloud has no such service.
    const isMissing = error instanceof GatewayError && !(error instanceof UpstreamError);
    if (isMissing && error.code === 'upstream_unavailable') return [];
    throw error;
  }
}

/** When another cluster took over the name, in milliseconds since the epoch: later load balancers are that cluster's. */
async function createdAtOfSuccessor(
  { clusters, projectId }: DeleteClusterStepContext,
  cluster: Cluster,
): Promise<number> {
  const all = await clusters.readOfProject(projectId);
  const later = all.filter(({ createdAt, id, name }) => {
    return id !== cluster.id && name === cluster.name && createdAt > cluster.createdAt;
  });
  return Math.min(Number.POSITIVE_INFINITY, ...later.map(({ createdAt }) => createdAt));
}
