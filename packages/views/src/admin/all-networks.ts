import type { BoundClient, NetworkRecord } from '@gateway/openstack';
import { CachedList } from '../cached-list.ts';
import { byName, isBeingBuilt, type Network, type NetworkFields, presentNetwork } from '../networks.ts';

/** A network of any project. */
export interface AdminNetwork extends Network {
  project_id: string;
}

const FIELDS = ['id', 'name', 'status', 'subnets', 'router:external', 'shared', 'project_id'] as const;

export function presentAdminNetwork(
  network: NetworkFields & Pick<NetworkRecord, 'project_id'>,
): AdminNetwork {
  return { ...presentNetwork(network), project_id: network.project_id };
}

/** The networks of all projects, sorted by name. */
export async function readAllNetworks({ network }: BoundClient): Promise<AdminNetwork[]> {
  return (await network.networks.listFields(FIELDS, presentAdminNetwork)).sort(byName);
}

export const allNetworkList = new CachedList<AdminNetwork[]>({
  name: 'allNetworks',
  varyBy: 'nothing',
  dependsOn: ['network', 'subnet'],
  lifetime: 'adminSeconds',
  isInTransition: (networks) => networks.some(isBeingBuilt),
  load: ({ openstack }) => readAllNetworks(openstack),
});
