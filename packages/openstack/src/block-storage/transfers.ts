import { BasicCollection } from '../collection.ts';
import { idOrNull, key, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

const fields = { id: key(), name: text(), volume_id: text() };

/** The offer of a volume to another project. It exists until it is accepted or deleted. */
const transferRecord = declareRecord('blockStorage', 'transfer', {
  ...fields,
  created_at: text(),
  /** The project that offers the volume; null for a transfer from an old version of the service. */
  source_project_id: idOrNull(),
});

export type TransferRecord = RecordOf<typeof transferRecord>;

/** Only this response contains the key. */
const createdTransfer = declareRecord('blockStorage', 'created_transfer', { ...fields, auth_key: key() });

export type CreatedTransfer = RecordOf<typeof createdTransfer>;

/** The accepting project becomes the owner of the volume and its snapshots. */
const acceptedTransfer = transferRecord.only(['id', 'name', 'volume_id']);

export type AcceptedTransfer = RecordOf<typeof acceptedTransfer>;

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
      record: transferRecord,
      created: createdTransfer,
      plural: 'transfers',
      singular: 'transfer',
      noun: 'transfers',
      path: '/volume-transfers',
      listPath: '/volume-transfers/detail',
    });
  }

  accept(id: string, authKey: string): Promise<AcceptedTransfer> {
    const url = `${this.pathOf(id)}/accept`;
    const body = { accept: { auth_key: authKey } };
    return this.service.postRecord('transfers.accept', url, 'transfer', acceptedTransfer, body);
  }
}
