import { listOf } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { deleteAutoBackup, getAutoBackup, listAutoBackups, putAutoBackup } from './handlers.ts';
import { autoBackupBody, autoBackupParams, autoBackupShape } from './schemas.ts';

const tag = { name: 'auto-backup', description: 'Scheduled backups of volumes' };
const path = '/api/volumes/backups/auto-backup/:volume_id';

export const autoBackupEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/volumes/backups/auto-backup/configs',
    tag,
    summary: "The project's auto backups",
    access: 'project',
    changes: [],
    onlyReads: true,
    watched: { type: 'auto_backup', interval: 'backups', stateField: 'last_status' },
    response: listOf(autoBackupShape),
    handler: listAutoBackups,
  }),
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'The auto backup of a volume',
    access: 'project',
    params: autoBackupParams,
    response: autoBackupShape,
    handler: getAutoBackup,
  }),
  endpoint({
    method: 'POST',
    path,
    tag,
    summary: 'Set up the auto backup of a volume, or replace it',
    description:
      'The runs work with the rights of the caller, delegated to the gateway until the auto backup is deleted or replaced. ' +
      'Answers 403 if the token may not delegate, for example that of an application credential, and 503 with the code ' +
      '`delegation_not_configured` if the gateway has no user to delegate to.',
    access: 'project',
    params: autoBackupParams,
    body: autoBackupBody,
    changes: ['auto_backup'],
    status: 201,
    response: autoBackupShape,
    errors: ['not_found', 'delegation_not_configured'],
    refusesReaders: true,
    handler: putAutoBackup,
  }),
  endpoint({
    method: 'DELETE',
    path,
    tag,
    summary: 'Delete the auto backup of a volume',
    description: 'Cancels its run in progress. Its backups remain.',
    access: 'project',
    params: autoBackupParams,
    changes: ['auto_backup'],
    status: 204,
    refusesReaders: true,
    handler: deleteAutoBackup,
  }),
];
