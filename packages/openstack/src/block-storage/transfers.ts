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

/** The key is told only here. */
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
  async get(id: string): Promise<TransferRecord> {
    const response = await this.#blockStorage.get<{ transfer: TransferRecord }>(
      'transfers.get',
      path`/volume-transfers/${id}`,
    );
    return response.transfer;
  }

  /** The volume is `awaiting-transfer` until the transfer is accepted or deleted. */
  async create(transfer: { volume_id: string; name?: string }): Promise<CreatedTransfer> {
    const response = await this.#blockStorage.post<{ transfer: CreatedTransfer }>(
      'transfers.create',
      '/volume-transfers',
      { transfer },
    );
    return response.transfer;
  }

  async accept(id: string, authKey: string): Promise<AcceptedTransfer> {
    const response = await this.#blockStorage.post<{ transfer: AcceptedTransfer }>(
      'transfers.accept',
      path`/volume-transfers/${id}/accept`,
      { accept: { auth_key: authKey } },
    );
    return response.transfer;
  }

  remove(id: string): Promise<void> {
    return this.#blockStorage.remove('transfers.remove', path`/volume-transfers/${id}`);
  }
}
