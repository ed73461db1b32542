import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

/** The offer of a volume to another project. The service forgets it once it is accepted or deleted. */
export interface TransferRecord {
  id: string;
  name: string | null;
  volume_id: string;
  created_at: string;
  /** The project that offers the volume; null for a transfer of an old version of the service. */
  source_project_id: string | null;
}

/** No other response contains the key. */
export interface CreatedTransfer extends TransferRecord {
  auth_key: string;
}

/** The project that accepts becomes the owner of the volume and of its snapshots. */
export type AcceptedTransfer = Pick<TransferRecord, 'id' | 'name' | 'volume_id'>;

export class Transfers {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  list(): Promise<TransferRecord[]> {
    return this.#blockStorage.list('transfers.list', '/volume-transfers/detail', 'transfers');
  }

  /** Only the project that offers the volume, and administrators, can read a transfer. */
  get(id: string): Promise<TransferRecord> {
    return this.#blockStorage.getRecord<TransferRecord>(
      'transfers.get',
      path`/volume-transfers/${id}`,
      'transfer',
    );
  }

  /** The volume is `awaiting-transfer` until the transfer is accepted or deleted. */
  create(transfer: { volume_id: string; name?: string }): Promise<CreatedTransfer> {
    return this.#blockStorage.postRecord<CreatedTransfer>(
      'transfers.create',
      '/volume-transfers',
      'transfer',
      { transfer },
    );
  }

  accept(id: string, authKey: string): Promise<AcceptedTransfer> {
    return this.#blockStorage.postRecord<AcceptedTransfer>(
      'transfers.accept',
      path`/volume-transfers/${id}/accept`,
      'transfer',
      { accept: { auth_key: authKey } },
    );
  }

  remove(id: string): Promise<void> {
    return this.#blockStorage.remove('transfers.remove', path`/volume-transfers/${id}`);
  }
}
