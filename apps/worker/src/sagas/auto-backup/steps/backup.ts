import { GatewayError, upstreamTimeout } from '@gateway/core';
import { autoBackupProgress } from '@gateway/jobs';
import { JOB_METADATA_KEY } from '@gateway/marks';
import { FailedStateError, isNotFound, isTransient } from '@gateway/openstack';
import { ParkedError, requireState } from '@gateway/saga';
import { removeBackup } from '../../resources/backup-removal.ts';
import { findBackups } from '../../resources/find-by-mark.ts';
import { removalOptions } from '../../resources/wait-options.ts';
import {
  AUTO_BACKUP_METADATA_KEY,
  type AutoBackupStepContext,
  announce,
  defineAutoBackupStep,
  hasVolume,
} from '../saga.ts';

/** A backup can take hours: the pauses between checks grow with the time that it has taken so far. */
const PAUSE_FRACTION = 0.1;
const MAX_PAUSE_MS = 30_000;

/** Creates the backup and waits, parked, until it is available. */
export const createBackup = defineAutoBackupStep<{ backupId: string }>({
  name: 'backup',
  beginUpdate: announce(
    'BACKUP_CREATING',
    autoBackupProgress.BACKUP_CREATING,
    'The backup is being created.',
  ),
  when: hasVolume,
  async run(context) {
    const { input, jobId, owner } = context;
    const { id } = await owner().blockStorage.backups.create({
      volume_id: input.volumeId,
      name: nameIn(context),
      // Allows a volume that is in use; no effect on other volumes.
      force: true,
      metadata: { [JOB_METADATA_KEY]: jobId, [AUTO_BACKUP_METADATA_KEY]: input.configurationId },
    });
    return { backupId: id };
  },
  resourceId: ({ backupId }) => backupId,
  async find(context) {
    const backups = await findBackups(context.remover(), nameIn(context), context);
    return backups.map(({ id }) => ({ backupId: id }));
  },
  async settle(context, { backupId }) {
    const status = await statusOf(context, backupId);
    if (status === 'available') return undefined;
    if (FAILED_STATES.includes(status)) {
      throw new FailedStateError(`The backup reached the state ${status}.`, status);
    }
    throw parked(context);
  },
  async undo(context, { backupId }) {
    await removeBackup(
      context,
      backupId,
      removalOptions(context, 'backup', context.config.timeLimits.volumeSeconds),
    );
  },
  leftover: ({ backupId }) => ({ type: 'backup', id: backupId }),
});

const FAILED_STATES = ['error', 'deleting', 'error_deleting', 'deleted'];

async function statusOf({ owner }: AutoBackupStepContext, backupId: string): Promise<string> {
  try {
    return (await owner().blockStorage.backups.get(backupId)).status;
  } catch (error) {
    if (isTransient(error)) return 'unknown';
    if (isNotFound(error)) {
      throw new GatewayError(409, 'conflict', 'The backup was deleted before it was available.');
    }
    throw error;
  }
}

/** @throws when the backup has exceeded its time limit */
function parked({ config, since }: AutoBackupStepContext): ParkedError {
  const leftMs = since + config.timeLimits.backupSeconds * 1000 - Date.now();
  if (leftMs <= 0) throw upstreamTimeout('The backup was not available in time.');
  const pauseMs = Math.max((Date.now() - since) * PAUSE_FRACTION, config.jobs.pollIntervalMs);
  return new ParkedError(Math.min(pauseMs, MAX_PAUSE_MS, leftMs));
}

function nameIn(context: AutoBackupStepContext): string {
  const subject = requireState(context, 'subject');
  return subject.kind === 'volume' ? subject.backupName : '';
}
