import { UpstreamError } from '../errors/index.ts';
import { idOrNull, key, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

const shareNetworkRecord = declareRecord('sharedFileSystem', 'share_network', {
  id: key(),
  name: text(),
  description: text(),
  project_id: text(),
  neutron_net_id: idOrNull(),
  neutron_subnet_id: idOrNull(),
  created_at: text(),
});

export type ShareNetworkRecord = RecordOf<typeof shareNetworkRecord>;

interface ShareNetworkCreate {
  name: string;
  description?: string;
  /** Of the network service; both or neither. */
  neutron_net_id?: string;
  neutron_subnet_id?: string;
}

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

  get(id: string): Promise<ShareNetworkRecord> {
    return this.#sharedFileSystem.getRecord(
      'shareNetworks.get',
      path`/share-networks/${id}`,
      'share_network',
      shareNetworkRecord,
    );
  }

  create(share_network: ShareNetworkCreate): Promise<ShareNetworkRecord> {
    return this.#sharedFileSystem.postRecord(
      'shareNetworks.create',
      '/share-networks',
      'share_network',
      shareNetworkRecord,
      { share_network },
    );
  }

  /** The service refuses a second one of a type with 409. */
  addSecurityService(id: string, security_service_id: string): Promise<void> {
    return this.#act('shareNetworks.addSecurityService', id, {
      add_security_service: { security_service_id },
    });
  }

  /** The service refuses one that the network does not have with 400. */
  removeSecurityService(id: string, security_service_id: string): Promise<void> {
    return this.#act('shareNetworks.removeSecurityService', id, {
      remove_security_service: { security_service_id },
    });
  }

  /** The service refuses it with 409 while shares are in the network. */
  remove(id: string): Promise<void> {
    return this.#sharedFileSystem.remove('shareNetworks.remove', path`/share-networks/${id}`);
  }

  /** While storage systems serve the network, the service refuses with 403, as without the right. */
  async #act(operation: string, id: string, action: object): Promise<void> {
    try {
      await this.#sharedFileSystem.postVoid(operation, path`/share-networks/${id}/action`, action);
    } catch (thrown) {
      if (!(thrown instanceof UpstreamError) || thrown.status !== 403 || !IN_USE.test(thrown.message))
        throw thrown;
      throw new UpstreamError(
        409,
        'conflict',
        'The share network has or had file storages, so its security services stay as they are.',
        { ...thrown, reason: 'in_use' },
      );
    }
  }
}

const IN_USE = /Share network is used/;
