import { requireState } from '../../../saga/index.ts';
import { backupStep } from '../../resources/backup-step.ts';
import {
  AUTO_BACKUP_METADATA_KEY,
  type AutoBackupContext,
  type AutoBackupState,
  announce,
  hasVolume,
} from '../saga.ts';

/** Creates the backup and waits until it is available. */
export const createBackup = backupStep<AutoBackupContext, AutoBackupState>({
  name: 'backup',
  key: 'backupId',
  beginUpdate: announce('BACKUP_CREATING', 'The backup is being created.'),
  when: hasVolume,
  resourceId: ({ backupId = '' }) => backupId,
  request(context) {
    const subject = requireState(context, 'subject');
    return {
      volume_id: context.input.volumeId,
      name: subject.kind === 'volume' ? subject.backupName : '',
      // Allows a volume that is in use; no effect on other volumes.
      force: true,
      incremental: subject.kind === 'volume' && subject.isIncremental === true,
      metadata: { [AUTO_BACKUP_METADATA_KEY]: context.input.configurationId },
    };
  },
});
