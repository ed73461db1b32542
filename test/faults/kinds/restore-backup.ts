import { restoreBackupSteps } from '../../../apps/worker/src/sagas/create-resource/restore.ts';
import type { Kind } from '../kind.ts';
import type { Rig } from '../rig.ts';
import { becomes, prepareVolume, resourceCreation, startResourceJob, storage } from './resource-creation.ts';

const backupRead = { service: storage, operation: 'backups.get', isRead: true };
// The plan reads the backup first.
const inspect = [{ ...backupRead, nth: 2 }];
const restore = [{ service: storage, operation: 'backups.restore' }];

/** Into a new volume. The backed-up volume has the mark of another job, which the restore copies. */
export const restoreBackup: Kind = {
  ...resourceCreation,
  name: 'restore backup',
  jobType: 'backup.restore',
  steps: restoreBackupSteps.map((step) => step.name),
  entries: {
    plan: [backupRead],
    create: [{ service: storage, operation: 'volumes.create' }],
    inspect,
    restore,
  },
  completed: { volumes: 1 },
  prepare: async (rig) => (await prepareBackup(rig)).backupId,
  start: (rig, backupId, requestId) => startRestore(rig, backupId, { body: { name: 'restored' }, requestId }),
};

/** Over an existing volume, which stays whatever happens. */
export const restoreIntoVolume: Kind = {
  ...restoreBackup,
  name: 'restore into volume',
  entries: { plan: [backupRead], create: 'not taken', inspect, restore },
  completed: {},
  runsSlowFaults: false,
  async prepare(rig) {
    const { backupId, volumeId } = await prepareBackup(rig);
    return `${backupId}/${volumeId}`;
  },
  start(rig, subject, requestId) {
    const [backupId = '', volume_id] = subject.split('/');
    return startRestore(rig, backupId, { body: { volume_id }, requestId });
  },
};

function startRestore(rig: Rig, backupId: string, request: { body: object; requestId: string }) {
  return startResourceJob(rig, `/api/volumes/backups/${backupId}/restore/async`, request);
}

async function prepareBackup(rig: Rig): Promise<{ backupId: string; volumeId: string }> {
  const volumeId = await prepareVolume(rig);
  const { backup } = await rig.cloud.call<{ backup: { id: string } }>('volumev3', 'POST', '/backups', {
    backup: { volume_id: volumeId, name: 'prepared' },
  });
  await becomes(rig, `/backups/${backup.id}`, 'available');
  await becomes(rig, `/volumes/${volumeId}`, 'available');
  return { backupId: backup.id, volumeId };
}
