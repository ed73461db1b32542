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

  /** Those of the project. */
  list(): Promise<ShareNetworkRecord[]> {
    return this.#sharedFileSystem.list('shareNetworks.list', '/share-networks/detail', 'share_networks');
  }
}
