import { autoBackupSteps } from '../../../apps/worker/src/sagas/auto-backup/index.ts';
import { AUTO_BACKUP_METADATA_KEY } from '../../../apps/worker/src/sagas/auto-backup/saga.ts';
import { eventually } from '../../support/eventually.ts';
import { type AutoBackup, autoBackupPath, setUpAutoBackup } from '../../support/subjects/auto-backups.ts';
import type { Kind } from '../kind.ts';
import type { Rig } from '../rig.ts';

const storage = 'block-storage';

interface Backup {
  id: string;
  status: string;
  volume_id: string;
}

/** One run of an auto backup that keeps one backup and deletes an older one. */
export const autoBackup: Kind = {
  name: 'auto backup',
  jobType: 'volume.auto-backup',
  steps: autoBackupSteps.map((step) => step.name),
  entries: {
    'look-up': [{ service: storage, operation: 'volumes.get', isRead: true }],
    backup: [{ service: storage, operation: 'backups.create' }],
    commit: 'no call',
    prune: [{ service: storage, operation: 'backups.delete' }],
  },
  completed: { backups: [1, 1] },
  runsSlowFaults: true,
  isCancellable: true,
  commitsAt: 'commit',
  async prepare(rig) {
    const { volume } = await rig.cloud.call<{ volume: { id: string } }>('volumev3', 'POST', '/volumes', {
      volume: { name: 'backed-up', size: 1 },
    });
    await volumeHas(rig, volume.id, 'available');
    const { id } = await setUpAutoBackup(rig.gateway(), volume.id, { retention: 1 });
    await rig.cloud.call('volumev3', 'POST', '/backups', {
      backup: { volume_id: volume.id, name: 'older', metadata: { [AUTO_BACKUP_METADATA_KEY]: id } },
    });
    await eventually(async () => (await backups(rig, volume.id))[0]?.status === 'available');
    await volumeHas(rig, volume.id, 'available');
    await rig.control.clearCalls();
    return `${volume.id}/${id}`;
  },
  async requestIdOf(rig, subject) {
    return (await rig.due.next(configurationOf(subject)))?.requestId ?? '';
  },
  async start(rig, subject) {
    const { jobId } = await rig.due.comesNow(configurationOf(subject));
    await rig.findJobId(`req-${jobId}`);
    return { jobId, stream: null };
  },
  async inspect(rig, subject, isCompleted) {
    const volumeId = volumeOf(subject);
    const status = isCompleted ? 'ok' : 'failed';
    const { last_status, last_error } = await rig.gateway().read<AutoBackup>(autoBackupPath(volumeId));
    const told = `${last_status} ${last_error ?? ''}`.trim();
    const isTold = isCompleted ? told === status : last_status === status && last_error !== null;
    return isTold ? [] : [`the configuration tells ${told}`];
  },
};

function volumeOf(subject: string): string {
  return subject.split('/')[0] ?? '';
}

function configurationOf(subject: string): string {
  return subject.split('/')[1] ?? '';
}

function volumeHas(rig: Rig, id: string, wanted: string): Promise<true> {
  return eventually(async () => {
    const { volume } = await rig.cloud.call<{ volume: { status: string } }>(
      'volumev3',
      'GET',
      `/volumes/${id}`,
    );
    return volume.status === wanted;
  });
}

async function backups(rig: Rig, volumeId: string): Promise<Backup[]> {
  const answer = await rig.cloud.call<{ backups: Backup[] }>('volumev3', 'GET', '/backups/detail');
  return answer.backups.filter(({ volume_id }) => volume_id === volumeId);
}
