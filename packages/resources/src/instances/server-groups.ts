import type { ServerGroupRecord } from '@gateway/openstack';
import type { ServerGroup } from './server-group-shape.ts';

export function presentServerGroup({ id, name, policy, members }: ServerGroupRecord): ServerGroup {
  return { id, name, policy, instance_ids: members, instance_names: [] };
}
