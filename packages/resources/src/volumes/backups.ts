import type { BackupRecord } from '@gateway/openstack';
import type { Backup } from './backup-shape.ts';
import { presentVolumeCopy } from './volume-copy.ts';

export function presentBackup(backup: BackupRecord): Backup {
  return { ...presentVolumeCopy(backup), is_incremental: backup.is_incremental ?? false };
}
