import { CLUSTER_METADATA_KEY, GatewayError, toMilliseconds } from '@gateway/core';
import {
  isServiceFloatingIp,
  isServiceLoadBalancer,
  type LiteCluster,
  nodeNamePattern,
  type PluginKey,
} from '@gateway/lite';
import { knownMarks, type LoadBalancerRecord, UpstreamError } from '@gateway/openstack';
import type { Searches } from '../resources/searches.ts';
import { clusterOf, type DeleteLiteClusterStepContext, type ServiceLoadBalancer } from './saga.ts';

/** The plugins that create load balancers. */
const CREATORS: readonly PluginKey[] = ['cloud_controller', 'lb_ingress'];

const UNDATED =
  'The service does not say when it was created: it may belong to a later cluster with the same name.';

/**
 * The load balancers that programs in the cluster have created, for its services and ingresses: those with
 * the cluster in their name, whatever the network of their address. None in a cloud without load balancers.
 * The search names one that may belong to a later cluster, and leaves it.
 */
export function findServiceLoadBalancers(
  context: DeleteLiteClusterStepContext,
  searches: Searches,
): Promise<ServiceLoadBalancer[]> {
  return searches.of('load_balancer', () => find(context, searches), []);
}

async function find(
  context: DeleteLiteClusterStepContext,
  searches: Searches,
): Promise<ServiceLoadBalancer[]> {
  const cluster = clusterOf(context);
  if (!cluster.plugins.some((key) => CREATORS.includes(key))) return [];
  const balancers = (await listBalancers(context)).filter(({ name }) =>
    isServiceLoadBalancer(cluster.name, name),
  );
  if (balancers.length === 0) return [];
  const successorAt = await createdAtOfSuccessor(context, cluster);
  const own = balancers.filter(({ created_at, id }) => {
    if (successorAt === null) return true;
    const createdAt = toMilliseconds(created_at);
    if (createdAt === null) searches.leave({ type: 'load_balancer', id, reason: UNDATED });
    return createdAt !== null && createdAt < successorAt;
  });
  const portIds = own.flatMap(({ vip_port_id }) => vip_port_id ?? []);
  const { floatingIps } = context.remover().network;
  const addresses = portIds.length === 0 ? [] : await floatingIps.list({ port_id: portIds });
  return own.map(({ id, vip_port_id: portId }) => {
    const mine = addresses.filter(({ port_id }) => port_id !== null && port_id === portId);
    const [made = [], kept = []] = [true, false].map((isMade) =>
      mine.filter(({ description }) => isServiceFloatingIp(cluster.name, description ?? '') === isMade),
    );
    const idsOf = (records: typeof mine) => records.map((address) => address.id);
    return { id, portId, floatingIpIds: idsOf(made), keptFloatingIpIds: idsOf(kept) };
  });
}

async function listBalancers({
  projectId,
  remover,
}: DeleteLiteClusterStepContext): Promise<LoadBalancerRecord[]> {
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

/**
 * When another cluster got the name, in milliseconds since the epoch; null if none has. Later load balancers
 * belong to that cluster. A store that was set back lacks its record, so its machines count as well.
 */
async function createdAtOfSuccessor(
  { liteClusters, projectId, remover }: DeleteLiteClusterStepContext,
  cluster: LiteCluster,
): Promise<number | null> {
  const [all, servers] = await Promise.all([
    liteClusters.readOfProject(projectId),
    remover().compute.servers.list({ name: nodeNamePattern(cluster) }),
  ]);
  const recorded = all.filter(({ id, name }) => id !== cluster.id && name === cluster.name);
  const machines = servers.filter((server) => {
    const clusterId = knownMarks('compute', server)[CLUSTER_METADATA_KEY];
    return server.tenant_id === projectId && clusterId !== undefined && clusterId !== cluster.id;
  });
  const times = [
    ...recorded.map(({ createdAt }) => createdAt),
    ...machines.map(({ created }) => toMilliseconds(created) ?? Number.POSITIVE_INFINITY),
  ];
  const later = times.filter((createdAt) => createdAt > cluster.createdAt);
  return later.length === 0 ? null : Math.min(...later);
}
