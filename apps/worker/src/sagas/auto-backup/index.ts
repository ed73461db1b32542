import type { Step } from '../../saga/index.ts';
import type { AutoBackupContext, AutoBackupState } from './saga.ts';
import { createBackup } from './steps/backup.ts';
import { commitBackup } from './steps/commit.ts';
import { lookUp } from './steps/look-up.ts';
import { pruneBackups } from './steps/prune.ts';

/**
 * One run of an auto backup. Until the backup is available, a rollback removes it. After that the run only
 * moves forward: older backups are being deleted, so the new one stays whatever happens.
 */
export const autoBackupSteps: readonly Step<AutoBackupContext, AutoBackupState>[] = [
  lookUp,
  createBackup,
  commitBackup,
  pruneBackups,
];
