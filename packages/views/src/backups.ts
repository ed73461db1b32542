import { toTimestamp } from '@gateway/core';
import type { BackupRecord } from '@gateway/openstack';

export interface Backup {
  id: string;
  name: string;
  description: string;
  status: string;
  /** GB. */
  size: number;
  volume_id: string;
  is_incremental: boolean;
  created_at: string | null;
}

export function presentBackup(backup: BackupRecord): Backup {
  return {
    id: backup.id,
    name: backup.name ?? '',
    description: backup.description ?? '',
    status: backup.status,
    size: backup.size,
    volume_id: backup.volume_id,
    is_incremental: backup.is_incremental,
    created_at: toTimestamp(backup.created_at),
  };
}
