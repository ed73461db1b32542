import type { ContainerRecord } from '@gateway/openstack';
import { type ContainerNetworks, NO_NETWORKS, optionalRead } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';

/**
 * Reads the networks and floating IPs of containers with two calls, or none if no container has an address.
 * Without the network service, containers are shown without names of networks and without floating IPs.
 */
export async function readContainerNetworks(
  request: RequestContext,
  containers: readonly ContainerRecord[],
): Promise<ContainerNetworks> {
  const networkIds = containers.flatMap(({ addresses }) => Object.keys(addresses ?? {}));
  if (networkIds.length === 0) return NO_NETWORKS;
  const { network } = request.openstack;
  const { projectId } = request.caller.identity;
  const sources = sourcesOf(request);
  const [networks, floatingIps] = await Promise.all([
    optionalRead(sources, network.networks.listByIds(networkIds), []),
    optionalRead(sources, network.floatingIps.list({ project_id: projectId }), []),
  ]);
  return { names: new Map(networks.map(({ id, name }) => [id, name])), floatingIps };
}
