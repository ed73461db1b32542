import { listOf } from '@gateway/core/shapes';
import { endpoint } from '../../pipeline/endpoint.ts';
import {
  deleteAutoBackup,
  getAutoBackup,
  listAutoBackups,
  pauseAutoBackup,
  putAutoBackup,
  resumeAutoBackup,
  runAutoBackup,
} from './handlers.ts';
import { autoBackupBody, autoBackupParams } from './schemas.ts';
import { autoBackupShape, startedRunShape } from './shapes.ts';

const tag = { name: 'auto-backup', description: 'Scheduled backups of volumes' };
const path = '/api/volumes/backups/auto-backup/:volume_id';

export const autoBackupEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/volumes/backups/auto-backup/configs',
    tag,
    summary: "The project's auto backups",
    access: 'project',
    writes: 'nothing',
    watched: 'auto_backup',
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
    writes: { resource: 'auto_backup', as: 'updated', id: ({ id }) => id },
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
    writes: { resource: 'auto_backup', as: 'updated' },
    status: 204,
    refusesReaders: true,
    handler: deleteAutoBackup,
  }),
  endpoint({
    method: 'POST',
    path: `${path}/pause`,
    tag,
    summary: 'Pause the auto backup of a volume',
    description: 'Nothing runs until it is resumed or set up again; a run in progress completes.',
    access: 'project',
    params: autoBackupParams,
    writes: { resource: 'auto_backup', as: 'updated', id: ({ id }) => id },
    response: autoBackupShape,
    refusesReaders: true,
    handler: pauseAutoBackup,
  }),
  endpoint({
    method: 'POST',
    path: `${path}/resume`,
    tag,
    summary: 'Resume the auto backup of a volume',
    description: 'Due times during the pause do not count.',
    access: 'project',
    params: autoBackupParams,
    writes: { resource: 'auto_backup', as: 'updated', id: ({ id }) => id },
    response: autoBackupShape,
    refusesReaders: true,
    handler: resumeAutoBackup,
  }),
  endpoint({
    method: 'POST',
    path: `${path}/run`,
    tag,
    summary: 'Back a volume up now, as its auto backup does',
    description:
      'Starts a job that makes a backup and deletes older ones beyond `retention`, also while the auto backup is paused. Refused with 409 while a run is in progress.',
    access: 'project',
    params: autoBackupParams,
    status: 202,
    response: startedRunShape,
    startsJob: 'volume.auto-backup',
    errors: ['conflict'],
    refusesReaders: true,
    handler: runAutoBackup,
  }),
];
