import { type ContainerRecord, isTransient } from '@gateway/openstack';
import type { ContainerNetworks } from '@gateway/views';
import type { RequestContext } from '../../pipeline/request-context.ts';

/**
 * Reads the networks and floating IPs of containers with two calls, or none if no container has an address.
 * Without the network service, containers are shown without names of networks and without floating IPs.
 */
export async function readContainerNetworks(
  { caller, openstack }: Pick<RequestContext, 'caller' | 'openstack'>,
  containers: readonly ContainerRecord[],
): Promise<ContainerNetworks> {
  const networkIds = containers.flatMap(({ addresses }) => Object.keys(addresses ?? {}));
  if (networkIds.length === 0) return { names: new Map(), floatingIps: [] };
  const { network } = openstack;
  const [networks, floatingIps] = await Promise.all([
    network.networks.listByIds(networkIds).catch(emptyIfAway),
    network.floatingIps.list({ project_id: caller.identity.projectId }).catch(emptyIfAway),
  ]);
  return { names: new Map(networks.map(({ id, name }) => [id, name])), floatingIps };
}

function emptyIfAway(error: unknown): [] {
  if (isTransient(error)) return [];
  throw error;
}
