import { envelope, objectAt, stringAt } from '../common/json.ts';
import { list } from '../http/listing.ts';
import { accepted, ok, operation, type Reply } from '../http/operation.ts';
import type { BlockStorageCall } from './cloud.ts';
import { malformed, missing, missingProperty } from './refusals.ts';
import type { Transfer } from './state.ts';
import {
  acceptTransfer,
  createTransfer,
  deleteTransfer,
  findTransfer,
  presentBriefly,
  presentTransfer,
} from './transfers.ts';

function transferOf(call: BlockStorageCall): Transfer {
  return findTransfer(call.cloud, call.caller, call.params.id ?? '');
}

function listTransfers(call: BlockStorageCall): Reply {
  const records = [...call.cloud.blockStorage.transfers.values()];
  return list(call, {
    plural: 'transfers',
    records: records.map((transfer) => ({ ...transfer, status: '', metadata: {} })),
    present: (transfer) => presentTransfer(transfer, call),
    unknownMarker: missing('Transfer'),
  });
}

function create(call: BlockStorageCall): Reply {
  const input = envelope(call.body, 'transfer', malformed);
  const transfer = createTransfer(call.cloud, call.caller, input);
  return accepted({ transfer: { ...presentTransfer(transfer, call), auth_key: transfer.authKey } });
}

function accept(call: BlockStorageCall): Reply {
  const authKey = stringAt(objectAt(call.body, 'accept'), 'auth_key');
  if (authKey === undefined) throw missingProperty('accept', 'auth_key');
  const transfer = acceptTransfer(call.cloud, call.caller, call.params.id ?? '', authKey);
  return accepted({ transfer: presentBriefly(transfer, call.base) });
}

function remove(call: BlockStorageCall): Reply {
  deleteTransfer(call.cloud, transferOf(call));
  return accepted();
}

export const transferOperations = [
  operation('transfers.list_detail', 'GET /volume-transfers/detail', listTransfers),
  operation('transfers.create', 'POST /volume-transfers', create),
  operation('transfers.get', 'GET /volume-transfers/:id', (call: BlockStorageCall) =>
    ok({ transfer: presentTransfer(transferOf(call), call) }),
  ),
  operation('transfers.accept', 'POST /volume-transfers/:id/accept', accept),
  operation('transfers.delete', 'DELETE /volume-transfers/:id', remove),
];
