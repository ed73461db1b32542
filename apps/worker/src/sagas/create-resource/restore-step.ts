import type { BackupRestore } from '@gateway/jobs';
import { type BoundClient, waitForStatus } from '@gateway/openstack';
import { type ProgressUpdate, requireState, type StepContext } from '@gateway/saga';
import { parkingLater, waitOptions } from '../resources/wait-options.ts';
import type { RestoreRequest } from './restore.ts';
import type { CreateResourceContext, CreateResourceState, CreationStep } from './saga.ts';

type Context = StepContext<CreateResourceContext<BackupRestore>, CreateResourceState<RestoreRequest>>;

/**
 * Restores the backup into the volume, and waits for the end, which may be hours later. The service can
 * neither stop a restore nor bring the earlier content back, so there is nothing to undo.
 */
export function restoreStep(beginUpdate: ProgressUpdate): CreationStep<BackupRestore, RestoreRequest> {
  return {
    name: 'restore',
    beginUpdate,
    async run(context) {
      const { blockStorage } = await context.resourceOwner.client();
      const target = targetOf(context);
      await blockStorage.backups.restore(context.input.backupId, { volume_id: target });
      return { resourceId: target };
    },
    async find(context) {
      const rights = await context.resourceOwner.removal();
      return (await hasBegun(context, rights.remover())) ? [{ resourceId: targetOf(context) }] : [];
    },
    resourceId: ({ resourceId = '' }) => resourceId,
    async settle(context, { resourceId = '' }) {
      const { blockStorage } = await context.resourceOwner.client();
      await waitForStatus(
        () => blockStorage.volumes.get(resourceId),
        ({ status }) => status,
        {
          ...waitOptions(parkingLater(context), 'volume', {
            describe: 'The volume',
            seconds: context.config.timeLimits.backupSeconds,
          }),
          // In use by an instance to which the user has attached it at once.
          targetStates: ['available', 'in-use'],
          failedStates: ['error', 'error_restoring', 'error_deleting'],
        },
      );
      return undefined;
    },
  };
}

function targetOf(context: Context): string {
  return context.input.volumeId ?? requireState(context, 'resourceId');
}

/**
 * Whether an earlier run has begun the restore. A second restore would overwrite what users have written to
 * an existing volume since the first. A restore changes the records of both, backup and volume.
 */
async function hasBegun(context: Context, { blockStorage }: Pick<BoundClient, 'blockStorage'>) {
  const { backupUpdatedAt, volumeUpdatedAt } = requireState(context, 'request');
  const [backup, volume] = await Promise.all([
    blockStorage.backups.get(context.input.backupId),
    blockStorage.volumes.get(targetOf(context)),
  ]);
  if (volume.status === 'restoring-backup') return true;
  const isChanged = backup.updated_at !== backupUpdatedAt && volume.updated_at !== volumeUpdatedAt;
  // Nobody knows a new volume yet.
  return context.input.volumeId !== null && isChanged;
}
