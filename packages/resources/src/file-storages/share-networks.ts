import { toTimestamp } from '@gateway/core';
import type { ShareNetworkRecord } from '@gateway/openstack';
import { CachedList, type ListSources } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import { subnetNames } from '../networks/name-lists.ts';
import { networkNames } from '../networks/networks.ts';
import type { ShareNetwork } from './share-network-shape.ts';

export function presentShareNetwork(network: ShareNetworkRecord): ShareNetwork {
  return {
    id: network.id,
    name: network.name,
    description: network.description,
    network_id: network.neutron_net_id,
    network_name: null,
    subnet_id: network.neutron_subnet_id,
    subnet_name: null,
    created_at: toTimestamp(network.created_at),
  };
}

export function nameShareNetworks(sources: ListSources, rows: ShareNetwork[]): Promise<ShareNetwork[]> {
  return addNames(sources, rows, { network_id: networkNames.project, subnet_id: subnetNames.project });
}

export const shareNetworkList = new CachedList<ShareNetwork[]>({
  name: 'shareNetworks',
  varyBy: 'project',
  dependsOn: ['share_network', 'network', 'subnet', 'project'],
  lifetime: 'choicesSeconds',
  async load(sources) {
    const rows = await sources.openstack.sharedFileSystem.shareNetworks.list();
    return nameShareNetworks(sources, rows.map(presentShareNetwork));
  },
});
