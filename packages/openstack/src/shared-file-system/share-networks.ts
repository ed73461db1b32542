import { path } from '../path.ts';
import { idOrNull, key, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

const shareNetworkRecord = declareRecord('sharedFileSystem', 'share_network', {
  id: key(),
  name: text(),
  description: text(),
  neutron_net_id: idOrNull(),
  neutron_subnet_id: idOrNull(),
  created_at: text(),
});

export type ShareNetworkRecord = RecordOf<typeof shareNetworkRecord>;

export class ShareNetworks {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  /** By default those of the project; administrators may ask for another project, or for all. */
  list(query?: { all_tenants: 1; project_id?: string }): Promise<ShareNetworkRecord[]> {
    const url = '/share-networks/detail';
    return this.#sharedFileSystem.list(
      'shareNetworks.list',
      url,
      'share_networks',
      shareNetworkRecord,
      query,
    );
  }

  remove(id: string): Promise<void> {
    return this.#sharedFileSystem.remove('shareNetworks.remove', path`/share-networks/${id}`);
  }
}
