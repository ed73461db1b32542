import type { ServerGroupRecord } from '@gateway/openstack';
import type { ServerGroup } from './server-group-shape.ts';

export function presentServerGroup(record: ServerGroupRecord): ServerGroup {
  const { id, members, name, policy, rules } = record;
  return {
    id,
    name,
    policy,
    max_server_per_host: rules.max_server_per_host,
    instance_ids: members,
    instance_names: [],
  };
}
