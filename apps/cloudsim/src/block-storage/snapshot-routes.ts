import { envelope, isObject, stringAt } from '../common/json.ts';
import { list } from '../http/listing.ts';
import { accepted, actionIn, namedByAction, ok, operation, type Reply } from '../http/operation.ts';
import { requireAdmin } from '../http/policy.ts';
import type { BlockStorageCall } from './cloud.ts';
import { malformed, missing } from './refusals.ts';
import {
  createSnapshot,
  deleteSnapshot,
  findSnapshot,
  presentNewSnapshot,
  presentSnapshot,
} from './snapshots.ts';
import type { Snapshot } from './state.ts';

function snapshotOf(call: BlockStorageCall): Snapshot {
  return findSnapshot(call.cloud, call.caller, call.params.id ?? '');
}

function listSnapshots(call: BlockStorageCall): Reply {
  return list(call, {
    plural: 'snapshots',
    records: call.cloud.blockStorage.snapshots.values(),
    present: presentSnapshot,
    unknownMarker: missing('Snapshot'),
    filter: (snapshot) => !call.query.has('volume_id') || snapshot.volumeId === call.query.get('volume_id'),
  });
}

function create(call: BlockStorageCall): Reply {
  const input = envelope(call.body, 'snapshot', malformed);
  return accepted({ snapshot: presentNewSnapshot(createSnapshot(call.cloud, call.caller, input)) });
}

function act(call: BlockStorageCall): Reply {
  const [action, argument] = actionIn(call.body);
  const isForced = action === 'os-force_delete';
  const rule = isForced ? 'force_delete' : 'reset_status';
  requireAdmin(call, `volume_extension:snapshot_admin_actions:${rule}`);
  const snapshot = snapshotOf(call);
  if (isForced) {
    deleteSnapshot(call.cloud, snapshot, true);
    return accepted();
  }
  snapshot.status = (isObject(argument) ? stringAt(argument, 'status') : undefined) ?? snapshot.status;
  return accepted();
}

function remove(call: BlockStorageCall): Reply {
  deleteSnapshot(call.cloud, snapshotOf(call));
  return accepted();
}

export const snapshotOperations = [
  operation('snapshots.list_detail', 'GET /snapshots/detail', listSnapshots),
  operation('snapshots.list', 'GET /snapshots', listSnapshots),
  operation('snapshots.create', 'POST /snapshots', create),
  operation('snapshots.get', 'GET /snapshots/:id', (call: BlockStorageCall) =>
    ok({ snapshot: presentSnapshot(snapshotOf(call)) }),
  ),
  operation('snapshots.action', 'POST /snapshots/:id/action', act, {
    nameFor: namedByAction('snapshots'),
  }),
  operation('snapshots.delete', 'DELETE /snapshots/:id', remove),
];
