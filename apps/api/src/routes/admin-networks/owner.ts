import type { NetworkRecord } from '@gateway/openstack';
import type { ListOwner } from '../../resources/changing-lists.ts';

/** The projects that see the network. */
export function ownerOf(network: NetworkRecord): ListOwner {
  if (network.shared || network['router:external']) return 'everybody';
  return { projectId: network.project_id };
}
