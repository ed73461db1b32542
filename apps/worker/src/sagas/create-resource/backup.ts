import { conflict } from '@gateway/core';
import type { BackupCreation } from '@gateway/jobs';
import { type BackupCreate, readOwnVolume } from '@gateway/openstack';
import { checkQuotas, ifBlockStorageStays, readStorageQuotas } from '@gateway/resources';
import { backupStep } from '../resources/backup-step.ts';
import { type CreationStep, plannedCreation, planStep } from './saga.ts';

export type BackupRequest = BackupCreate & { name: string };

export const createBackupSteps: readonly CreationStep<BackupCreation, BackupRequest>[] = [
  planStep(async ({ input, owner, projectId }) => {
    const { description, force, name, volumeId } = input;
    const [{ size, status }, quotas] = await Promise.all([
      readOwnVolume(owner().blockStorage, projectId, volumeId),
      readStorageQuotas(owner()),
    ]);
    if (status !== 'available' && !(status === 'in-use' && force)) {
      const hint = ifBlockStorageStays({ status });
      throw conflict('wrong_state', `The volume cannot be backed up in its state ${status}.${hint}`);
    }
    checkQuotas(quotas, { backups: 1, 'backup gigabytes': size });
    return { name, volume_id: volumeId, force, ...(description !== null && { description }) };
  }),
  backupStep({
    ...plannedCreation<BackupCreation, BackupRequest>('The backup is being created.'),
  }),
];
