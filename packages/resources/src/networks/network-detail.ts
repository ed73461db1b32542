import type { NetworkRecord } from '@gateway/openstack';
import { visibleProjectNames } from '../identity/projects.ts';
import type { ListSources } from '../lists/cached-list.ts';
import { type Scope, sourcesIn } from '../lists/lists-by-scope.ts';
import { addNames, knownNames, ownProjectName, withNames } from '../lists/names.ts';
import type { NetworkDetail } from './network-detail-shape.ts';
import { presentNetwork } from './networks.ts';
import { namesInRouter, presentRouters, readRouters } from './routers.ts';
import { presentSubnetDetail } from './subnets.ts';

/**
 * Completes a network with three concurrent calls, and the cached names that it and its routers need.
 *
 * @param scope whose routers are shown: those of the reader's project, or for administrators of all
 */
export async function readNetworkDetail(
  sources: ListSources,
  network: NetworkRecord,
  scope: Scope = 'project',
): Promise<NetworkDetail> {
  const { openstack, reader } = sources;
  const isWhole = scope === 'cloud';
  const [subnets, { routers, interfaces }] = await Promise.all([
    openstack.network.subnets.list({ network_id: network.id }),
    readRouters(openstack, isWhole ? undefined : reader.projectId),
  ]);
  const inside = new Set(
    interfaces.filter(({ network_id }) => network_id === network.id).map(({ device_id }) => device_id),
  );
  const connected = routers.filter(
    ({ id, external_gateway_info: gateway }) => inside.has(id) || gateway?.network_id === network.id,
  );
  return {
    ...(await withNames(sources, presentNetwork(network), {
      project_id: isWhole ? visibleProjectNames : ownProjectName,
    })),
    subnet_details: await addNames(sources, subnets.map(presentSubnetDetail), {
      network_id: knownNames([network]),
    }),
    routers: await addNames(
      sources,
      presentRouters({ routers: connected, interfaces }),
      sourcesIn(scope, namesInRouter),
    ),
  };
}
