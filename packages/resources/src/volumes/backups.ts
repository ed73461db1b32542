import type { BackupRecord } from '@gateway/openstack';
import { backupActions } from '../actions/backup-actions.ts';
import { type Actor, allowedActions } from '../actions/rule.ts';
import type { Backup } from './backup-shape.ts';
import { presentVolumeCopy } from './volume-copy.ts';

export function presentBackup(backup: BackupRecord, actor: Actor): Backup {
  return {
    ...presentVolumeCopy(backup),
    is_incremental: backup.is_incremental ?? false,
    allowed_actions: allowedActions(backupActions, backup, actor),
  };
}
