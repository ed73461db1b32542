import { BasicCollection } from '../collection.ts';
import type { ServiceClient } from '../service.ts';

/** The offer of a volume to another project. It exists until it is accepted or deleted. */
export interface TransferRecord {
  id: string;
  name: string | null;
  volume_id: string;
  created_at: string;
  /** The project that offers the volume; null for a transfer from an old version of the service. */
  source_project_id: string | null;
}

/** Only this response contains the key. */
export interface CreatedTransfer extends TransferRecord {
  auth_key: string;
}

/** The accepting project becomes the owner of the volume and its snapshots. */
export type AcceptedTransfer = Pick<TransferRecord, 'id' | 'name' | 'volume_id'>;

interface TransferCreate {
  volume_id: string;
  name?: string;
}

/**
 * Only the offering project and administrators can read a transfer. The volume is `awaiting-transfer` until
 * the transfer is accepted or removed.
 */
export class Transfers extends BasicCollection<TransferRecord, TransferCreate, never, CreatedTransfer> {
  constructor(blockStorage: ServiceClient) {
    super(blockStorage, {
      plural: 'transfers',
      singular: 'transfer',
      noun: 'transfers',
      path: '/volume-transfers',
      listPath: '/volume-transfers/detail',
    });
  }

  accept(id: string, authKey: string): Promise<AcceptedTransfer> {
    const body = { accept: { auth_key: authKey } };
    return this.service.postRecord('transfers.accept', `${this.pathOf(id)}/accept`, 'transfer', body);
  }
}
