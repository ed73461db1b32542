import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

export interface ServerGroupRecord {
  id: string;
  name: string;
  project_id: string;
  /** `affinity`, `anti-affinity`, `soft-affinity` or `soft-anti-affinity`. */
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

  get(id: string): Promise<ServerGroupRecord> {
    return this.#compute.getRecord('serverGroups.get', path`/os-server-groups/${id}`, 'server_group');
  }
}
