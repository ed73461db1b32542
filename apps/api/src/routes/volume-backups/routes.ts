import { listOf } from '@gateway/core/shapes';
import { resourceMessageShape } from '@gateway/jobs/shapes';
import { backupShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { FOLLOWED } from '../../http/schemas/followed.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import {
  createBackup,
  createBackupAsync,
  createdBackupShape,
  deleteBackup,
  getBackup,
  listBackups,
  restoreBackup,
  restoreBackupAsync,
  restoredBackupShape,
} from './handlers.ts';
import { createBackupBody, restoreBackupBody } from './schemas.ts';

const tag = { name: 'volume-backups', description: 'Backups of volumes' };

export const volumeBackupEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/volumes/backups',
    tag,
    summary: "The project's backups",
    access: 'project',
    watched: 'backup',
    response: listOf(backupShape),
    handler: listBackups,
  }),
  endpoint({
    method: 'POST',
    path: '/api/volumes/backups',
    tag,
    summary: 'Back up a volume',
    description:
      'Answers at once; the backup is `creating` until it is `available`, and the volume is `backing-up`. A volume in use is refused with 409 without `force`.',
    access: 'project',
    body: createBackupBody,
    writes: { resource: 'backup', as: 'created', touches: ['volume'] },
    status: 201,
    response: createdBackupShape,
    errors: ['not_found', 'conflict', 'quota_exceeded'],
    handler: createBackup,
  }),
  endpoint({
    method: 'POST',
    path: '/api/volumes/backups/async',
    tag,
    summary: 'Back up a volume and follow the progress',
    description: `${FOLLOWED} A backup can be removed only when it has ended.`,
    access: 'project',
    body: createBackupBody,
    response: resourceMessageShape,
    example: () => ({ message: 'The backup is available.', resource_type: 'backup' }),
    produces: 'text/event-stream',
    startsJob: 'backup.create',
    handler: createBackupAsync,
  }),
  endpoint({
    method: 'GET',
    path: '/api/volumes/backups/:backup_id',
    tag,
    summary: 'One backup',
    access: 'project',
    params: pathIds('backup_id'),
    response: backupShape,
    handler: getBackup,
  }),
  endpoint({
    method: 'POST',
    path: '/api/volumes/backups/:backup_id/restore',
    tag,
    summary: 'Restore a backup into a new volume, or over an existing one',
    description:
      'Answers at once. With `volume_id` the content of that volume is overwritten; it must be `available` and large enough, else 409.',
    access: 'project',
    params: pathIds('backup_id'),
    body: restoreBackupBody,
    writes: [
      { resource: 'backup', as: 'updated' },
      { resource: 'volume', as: 'updated', id: ({ restore }) => restore.volume_id },
    ],
    response: restoredBackupShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: restoreBackup,
  }),
  endpoint({
    method: 'POST',
    path: '/api/volumes/backups/:backup_id/restore/async',
    tag,
    summary: 'Restore a backup and follow the progress',
    description:
      `${FOLLOWED} A volume that is overwritten (\`volume_id\`) is never removed, and neither a failure nor a ` +
      'cancellation brings its content back: the service cannot stop a restore that has begun.',
    access: 'project',
    params: pathIds('backup_id'),
    body: restoreBackupBody,
    response: resourceMessageShape,
    example: () => ({ message: 'The backup is restored.' }),
    produces: 'text/event-stream',
    startsJob: 'backup.restore',
    handler: restoreBackupAsync,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/volumes/backups/:backup_id',
    tag,
    summary: 'Delete a backup',
    description: 'Refused with 409 while it is being made or restored, or while later backups depend on it.',
    access: 'project',
    params: pathIds('backup_id'),
    writes: { resource: 'backup', as: 'deleting' },
    status: 204,
    errors: ['conflict'],
    handler: deleteBackup,
  }),
];
