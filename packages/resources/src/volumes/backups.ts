import type { BackupRecord } from '@gateway/openstack';
import { presentVolumeCopy, type VolumeCopy } from './volume-copy.ts';

export interface Backup extends VolumeCopy {
  is_incremental: boolean;
}

export function presentBackup(backup: BackupRecord): Backup {
  return { ...presentVolumeCopy(backup), is_incremental: backup.is_incremental ?? false };
}
