import { toTimestamp } from '@gateway/core';
import type { ShareNetworkRecord } from '@gateway/openstack';
import { CachedList } from './cached-list.ts';

/** Where the shared file system service exports the shares of a project. */
export interface ShareNetwork {
  id: string;
  name: string;
  description: string;
  /** Null without a network of the network service. */
  network_id: string | null;
  subnet_id: string | null;
  created_at: string | null;
}

export function presentShareNetwork(network: ShareNetworkRecord): ShareNetwork {
  return {
    id: network.id,
    name: network.name ?? '',
    description: network.description ?? '',
    network_id: network.neutron_net_id,
    subnet_id: network.neutron_subnet_id,
    created_at: toTimestamp(network.created_at),
  };
}

export const shareNetworkList = new CachedList<ShareNetwork[]>({
  name: 'shareNetworks',
  varyBy: 'project',
  dependsOn: [],
  lifetime: 'choicesSeconds',
  load: async ({ openstack }) =>
    (await openstack.sharedFileSystem.shareNetworks.list()).map(presentShareNetwork),
});
