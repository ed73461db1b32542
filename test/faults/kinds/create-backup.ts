import { createBackupSteps } from '../../../apps/worker/src/sagas/create-resource/backup.ts';
import type { Kind } from '../kind.ts';
import { prepareVolume, resourceCreation, startResourceJob, storage } from './resource-creation.ts';

export const createBackup: Kind = {
  ...resourceCreation,
  name: 'create backup',
  jobType: 'backup.create',
  steps: createBackupSteps.map((step) => step.name),
  entries: {
    plan: [{ service: storage, operation: 'volumes.get', isRead: true }],
    create: [{ service: storage, operation: 'backups.create' }],
  },
  completed: { backups: 1 },
  prepare: (rig) => prepareVolume(rig),
  start: (rig, volumeId, requestId) =>
    startResourceJob(rig, '/api/volumes/backups/async', {
      body: { name: 'backup', volume_id: volumeId },
      requestId,
    }),
};
