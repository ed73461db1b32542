import { jobType, MAINTENANCE } from './job-type.ts';
import type { ProgressMessage } from './progress-message.ts';

/** One run of an auto backup. */
export interface AutoBackupRun {
  configurationId: string;
  volumeId: string;
  /** The due time, in milliseconds since the epoch. */
  due: number;
}

/** Steps of a run of an auto backup. */
export const autoBackupProgress = {
  BACKUP_CREATING: 10,
  BACKUPS_PRUNING: 90,
  COMPLETED: 100,
  FAILED: -1,
} as const;

/** One event of a run of an auto backup. */
export interface AutoBackupMessage extends ProgressMessage {
  step: keyof typeof autoBackupProgress;
  volume_id: string;
  /** Null before the backup exists, and after a failure. */
  backup_id: string | null;
  error: string | null;
}

export const autoBackupJobs = {
  'volume.auto-backup': jobType<AutoBackupRun, AutoBackupMessage>({
    ...MAINTENANCE,
    resourceType: 'backup',
    isListed: true,
  }),
};
