import { sleep } from '@gateway/core';
import type { BackupRestore } from '@gateway/jobs';
import { type BoundClient, type VolumeCreate, waitForStatus } from '@gateway/openstack';
import { type ProgressUpdate, requireState, type StepContext } from '../../saga/index.ts';
import { parkingLater, waitOptions } from '../resources/wait-options.ts';
import type { CreateResourceContext, CreateResourceState, CreationStep } from './saga.ts';

export interface RestoreRequest {
  /** The new volume; null if an existing one is overwritten. */
  volume: (VolumeCreate & { name: string }) | null;
  /** When the service had changed the records last before the restore, by its clock. */
  backupUpdatedAt?: string | null;
  volumeUpdatedAt?: string | null;
}

type Context = StepContext<CreateResourceContext<BackupRestore>, CreateResourceState<RestoreRequest>>;

/** The service gives times in seconds. */
const CLOCK_STEP_MS = 1_000;

/** Notes the records as they are before the restore, which then changes them in a later second. */
export const inspectStep: CreationStep<BackupRestore, RestoreRequest> = {
  name: 'inspect',
  onRepeat: 'idempotent',
  async run(context) {
    const { backup, volume } = await readBoth(context, context.owner());
    const { updated_at: backupUpdatedAt } = backup;
    await sleep(CLOCK_STEP_MS, context.signal);
    return {
      request: { ...requireState(context, 'request'), backupUpdatedAt, volumeUpdatedAt: volume.updated_at },
    };
  },
};

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
 * Whether the restore has begun, although its answer was lost. A second one would overwrite what users have
 * written to the volume since. A restore changes the records of both, backup and volume.
 */
async function hasBegun(context: Context, client: Storage): Promise<boolean> {
  const { backupUpdatedAt, volumeUpdatedAt } = requireState(context, 'request');
  const { backup, volume } = await readBoth(context, client);
  if (volume.status === 'restoring-backup') return true;
  return hasChanged(backup, backupUpdatedAt) && hasChanged(volume, volumeUpdatedAt);
}

/** A record without a time of its last change does not show a change. */
function hasChanged({ updated_at }: { updated_at: string | null }, before?: string | null): boolean {
  return updated_at !== null && updated_at !== before;
}

type Storage = Pick<BoundClient, 'blockStorage'>;

async function readBoth(context: Context, { blockStorage }: Storage) {
  const [backup, volume] = await Promise.all([
    blockStorage.backups.get(context.input.backupId),
    blockStorage.volumes.get(targetOf(context)),
  ]);
  return { backup, volume };
}
