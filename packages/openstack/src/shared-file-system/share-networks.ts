import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

export interface ShareNetworkRecord {
  id: string;
  name: string | null;
  description: string | null;
  project_id: string;
  neutron_net_id: string | null;
  neutron_subnet_id: string | null;
  created_at: string | null;
}

export class ShareNetworks {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  /** By default those of the project; administrators may ask for another project, or for all. */
  list(query?: { all_tenants: 1; project_id?: string }): Promise<ShareNetworkRecord[]> {
    const url = '/share-networks/detail';
    return this.#sharedFileSystem.list('shareNetworks.list', url, 'share_networks', query);
  }

  remove(id: string): Promise<void> {
    return this.#sharedFileSystem.remove('shareNetworks.remove', path`/share-networks/${id}`);
  }
}
