import { envelope, isObject, objectAt, stringAt } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { list } from '../http/listing.ts';
import { accepted, actionIn, namedByAction, ok, operation, type Reply } from '../http/operation.ts';
import { requireAdmin } from '../http/policy.ts';
import {
  createBackup,
  deleteBackup,
  findBackup,
  presentBackup,
  presentNewBackup,
  restoreBackup,
  setBackupStatus,
} from './backups.ts';
import type { BlockStorageCall } from './cloud.ts';
import { malformed, missing } from './refusals.ts';
import type { Backup } from './state.ts';

function backupOf(call: BlockStorageCall): Backup {
  return findBackup(call.cloud, call.caller, call.params.id ?? '');
}

function listBackups(call: BlockStorageCall): Reply {
  if (call.query.has('metadata') && !call.caller.isAdmin)
    throw badRequest('Invalid filters metadata are found in query options.');
  return list(call, {
    plural: 'backups',
    records: call.cloud.blockStorage.backups.values(),
    present: (backup) => presentBackup(backup, call),
    unknownMarker: missing('Backup'),
    filter: ({ volumeId }) => !call.query.has('volume_id') || volumeId === call.query.get('volume_id'),
  });
}

function create(call: BlockStorageCall): Reply {
  const input = envelope(call.body, 'backup', malformed);
  return accepted({ backup: presentNewBackup(createBackup(call.cloud, call.caller, input), call.base) });
}

function restore(call: BlockStorageCall): Reply {
  const backup = backupOf(call);
  const volume = restoreBackup(call, backup, objectAt(call.body, 'restore'));
  return accepted({
    restore: { backup_id: backup.id, volume_id: volume.id, volume_name: volume.name },
  });
}

function remove(call: BlockStorageCall): Reply {
  deleteBackup(call.cloud, backupOf(call));
  return accepted();
}

function act(call: BlockStorageCall): Reply {
  const [action, argument] = actionIn(call.body);
  const isForced = action === 'os-force_delete';
  const rule = isForced ? 'force_delete' : 'reset_status';
  requireAdmin(call, `volume_extension:backup_admin_actions:${rule}`);
  const backup = backupOf(call);
  if (isForced) {
    deleteBackup(call.cloud, backup, true);
    return accepted();
  }
  const status = isObject(argument) ? stringAt(argument, 'status') : undefined;
  setBackupStatus(call.cloud, backup, status ?? backup.status);
  return accepted();
}

export const backupOperations = [
  operation('backups.list_detail', 'GET /backups/detail', listBackups),
  operation('backups.list', 'GET /backups', listBackups),
  operation('backups.create', 'POST /backups', create),
  operation('backups.get', 'GET /backups/:id', (call: BlockStorageCall) =>
    ok({ backup: presentBackup(backupOf(call), call) }),
  ),
  operation('backups.restore', 'POST /backups/:id/restore', restore),
  operation('backups.action', 'POST /backups/:id/action', act, { nameFor: namedByAction('backups') }),
  operation('backups.delete', 'DELETE /backups/:id', remove),
];
