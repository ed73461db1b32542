import { toTimestamp } from '@gateway/core';
import type { AcceptedTransfer, CreatedTransfer, TransferRecord } from '@gateway/openstack';
import type { NewTransfer, Transfer } from './transfer-shape.ts';

export function presentTransfer(transfer: TransferRecord): Transfer {
  return {
    id: transfer.id,
    name: transfer.name,
    volume_id: transfer.volume_id,
    volume_name: null,
    created_at: toTimestamp(transfer.created_at),
  };
}

/** Only this response contains the key. */
export function presentNewTransfer({ id, name, volume_id, auth_key }: CreatedTransfer): NewTransfer {
  return { id, name, volume_id, auth_key };
}

export function presentAcceptedTransfer({
  id,
  volume_id,
}: AcceptedTransfer): Pick<Transfer, 'id' | 'volume_id'> {
  return { id, volume_id };
}
