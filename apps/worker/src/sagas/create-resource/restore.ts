import { conflict, KEEP_VOLUME_METADATA } from '@gateway/core';
import type { BackupRestore } from '@gateway/jobs';
import {
  type BackupRecord,
  readOwnBackup,
  readOwnVolume,
  typeOfBackup,
  type VolumeRecord,
} from '@gateway/openstack';
import { checkQuotas, ifBlockStorageStays, readStorageQuotas } from '@gateway/resources';
import { volumeStep } from '../resources/volume-step.ts';
import { inspectStep, type RestoreRequest, restoreStep } from './restore-step.ts';
import { announce, type CreationStep, plannedCreation, planStep } from './saga.ts';

const created = plannedCreation<BackupRestore, RestoreRequest>('The volume is being created.');

/**
 * A new volume is created empty, with the mark of the job, because the restore replaces the metadata of a
 * volume by those of the backup. After a failure it is deleted; an existing volume never is.
 */
export const restoreBackupSteps: readonly CreationStep<BackupRestore, RestoreRequest>[] = [
  planStep(async ({ input, owner, projectId }) => {
    const { blockStorage } = owner();
    const [backup, target, quotas] = await Promise.all([
      readOwnBackup(blockStorage, projectId, input.backupId),
      input.volumeId === null ? null : readOwnVolume(blockStorage, projectId, input.volumeId),
      input.volumeId === null ? readStorageQuotas(owner()) : {},
    ]);
    if (backup.status !== 'available') {
      const hint = ifBlockStorageStays(backup);
      throw conflict('wrong_state', `The backup cannot be restored in its state ${backup.status}.${hint}`);
    }
    if (target === null) checkQuotas(quotas, { volumes: 1, gigabytes: backup.size });
    else requireOverwritable(target, backup);
    const type = await typeOfBackup(owner(), backup, target);
    return { volume: target === null ? newVolume(backup, input.name, type) : null };
  }),
  volumeStep({
    ...created,
    title: 'The volume',
    when: ({ input }) => input.volumeId === null,
    request(context) {
      const { volume } = created.request(context);
      if (volume === null) throw new Error('The restore needs no new volume');
      return volume;
    },
  }),
  inspectStep,
  restoreStep(announce('RESTORING', 'The backup is being restored.')),
];

function newVolume(
  { id, name, size }: BackupRecord,
  wanted: string | null,
  type: string | null,
): RestoreRequest['volume'] {
  return {
    name: wanted ?? (name || `restore_backup_${id}`),
    size,
    metadata: KEEP_VOLUME_METADATA,
    ...(type !== null && { volume_type: type }),
  };
}

function requireOverwritable({ size, status }: VolumeRecord, backup: BackupRecord): void {
  if (status !== 'available') {
    const hint = ifBlockStorageStays({ status });
    throw conflict(
      'wrong_state',
      `The volume cannot be overwritten in its state ${status}: it has to be available.${hint}`,
    );
  }
  if (size < backup.size) {
    throw conflict(
      'unsuitable',
      `The volume cannot be overwritten: its ${size} GB are too small to restore a backup of ${backup.size} GB.`,
    );
  }
}
