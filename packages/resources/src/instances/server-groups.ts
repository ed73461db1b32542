import type { ServerGroupRecord } from '@gateway/openstack';

export interface ServerGroup {
  id: string;
  name: string;
  /** `affinity` for one host, `anti-affinity` for different ones; with `soft-`, only if that is possible. */
  policy: string;
  instance_ids: string[];
  instance_names: (string | null)[];
}

export function presentServerGroup({ id, name, policy, members }: ServerGroupRecord): ServerGroup {
  return { id, name, policy, instance_ids: members, instance_names: [] };
}
