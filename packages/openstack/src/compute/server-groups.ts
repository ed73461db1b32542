import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

export const serverGroupPolicies = [
  'affinity',
  'anti-affinity',
  'soft-affinity',
  'soft-anti-affinity',
] as const;

export type ServerGroupPolicy = (typeof serverGroupPolicies)[number];

export interface ServerGroupRecord {
  id: string;
  name: string;
  project_id: string;
  policy: string;
  /** Ids of servers. */
  members: string[];
}

/** Groups of servers that run on one host, or on different hosts. */
export class ServerGroups {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  /** The project's own. */
  list(): Promise<ServerGroupRecord[]> {
    return this.#compute.list('serverGroups.list', '/os-server-groups', 'server_groups');
  }

  get(id: string): Promise<ServerGroupRecord> {
    return this.#compute.getRecord('serverGroups.get', path`/os-server-groups/${id}`, 'server_group');
  }

  create(group: { name: string; policy: ServerGroupPolicy }): Promise<ServerGroupRecord> {
    return this.#compute.postRecord('serverGroups.create', '/os-server-groups', 'server_group', {
      server_group: group,
    });
  }

  remove(id: string): Promise<void> {
    return this.#compute.remove('serverGroups.remove', path`/os-server-groups/${id}`);
  }
}
