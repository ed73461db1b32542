import type { BackupRecord } from '@gateway/openstack';
import { statusRule } from './status-rule.ts';

/** The fields of a backup by which actions are allowed. */
type BackupState = Pick<BackupRecord, 'has_dependent_backups' | 'status'>;

/** The actions on a backup of a volume, in the order in which rows name them. */
export const backupActions = {
  restore: statusRule<BackupState>({
    endpoint: 'POST /api/volumes/backups/{backup_id}/restore',
    refusal: 'The backup cannot be restored',
    statuses: ['available'],
    needs: 'it has to be available',
  }),
  delete: statusRule<BackupState>({
    endpoint: 'DELETE /api/volumes/backups/{backup_id}',
    refusal: 'The backup cannot be deleted',
    statuses: ['available', 'error'],
    needs: 'it has to be available or failed',
    usedBy: (backup) => (backup.has_dependent_backups ? 'later backups depend on it' : null),
  }),
};
