import { listOf } from '@gateway/core/shapes';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { listAllAutoBackups } from './handlers.ts';
import { allAutoBackupsQuery } from './schemas.ts';
import { adminAutoBackupShape } from './shapes.ts';

export const adminAutoBackupEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/auto-backups',
    tag: adminTags.volumes,
    summary: 'The auto backups of all projects, oldest first',
    description: 'With what fails or is overdue, and when a run last ended well.',
    access: 'admin',
    query: allAutoBackupsQuery,
    response: listOf(adminAutoBackupShape),
    handler: listAllAutoBackups,
  }),
];
