import { CLOCK_TOLERANCE_MS, CLUSTER_METADATA_KEY, toMilliseconds } from '@gateway/core';
import {
  findServiceLoadBalancers,
  isServiceFloatingIp,
  type LiteCluster,
  nodeNamePattern,
} from '@gateway/lite';
import { knownMarks } from '@gateway/openstack';
import type { Searches } from '../resources/searches.ts';
import { clusterOf, type DeleteLiteClusterStepContext, type ServiceLoadBalancer } from './saga.ts';

const UNDATED =
  'The service does not say when it was created: it may belong to another cluster with the same name.';

/**
 * The load balancers that programs in the cluster have created, for its services and ingresses. Of those with
 * the cluster in their name, an older one belongs to another cluster with the name, which the gateway need
 * not have made, and a later one may belong to a later cluster. The search names one that may be either, and
 * leaves it.
 */
export function findOwnLoadBalancers(
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
  const { projectId } = context;
  const balancers = await findServiceLoadBalancers({ client: context.remover(), projectId, cluster });
  if (balancers.length === 0) return [];
  const { since, until } = await timesOfName(context, cluster);
  const own = balancers.filter(({ created_at, id }) => {
    const createdAt = toMilliseconds(created_at);
    if (createdAt === null) searches.leave({ type: 'load_balancer', id, reason: UNDATED });
    return createdAt !== null && createdAt >= since && createdAt < until;
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

/**
 * From when until when load balancers with the name are the cluster's, in milliseconds since the epoch: until
 * infinity if no other cluster got the name. A store that was set back lacks the record of such a cluster,
 * and the clock of the process that wrote a record may be ahead, so machines count as well.
 */
async function timesOfName(
  { liteClusters, projectId, remover }: DeleteLiteClusterStepContext,
  cluster: LiteCluster,
): Promise<{ since: number; until: number }> {
  const [all, servers] = await Promise.all([
    liteClusters.readOfProject(projectId),
    remover().compute.servers.list({ name: nodeNamePattern(cluster) }),
  ]);
  const recorded = all.filter(({ name }) => name === cluster.name);
  const machines = servers.flatMap((server) => {
    const clusterId = knownMarks('compute', server)[CLUSTER_METADATA_KEY];
    if (server.tenant_id !== projectId || clusterId === undefined) return [];
    return { id: clusterId, createdAt: toMilliseconds(server.created) ?? Number.POSITIVE_INFINITY };
  });
  const others = [...recorded, ...machines].filter(({ id }) => id !== cluster.id);
  const later = others.filter(({ createdAt }) => createdAt > cluster.createdAt);
  const own = machines.filter(({ id }) => id === cluster.id);
  return {
    since: earliest([cluster, ...own]) - CLOCK_TOLERANCE_MS,
    until: earliest(later),
  };
}

function earliest(records: readonly { createdAt: number }[]): number {
  return Math.min(...records.map(({ createdAt }) => createdAt));
}
