import { conflict, JOB_METADATA_KEY } from '@gateway/core';
import { findBackups, removeBackup } from '@gateway/inventory';
import { type BackupCreate, type BackupRecord, isNotFound, waitForStatus } from '@gateway/openstack';
import type { Step, StepContext } from '../../saga/index.ts';
import { type ResourceContext, resultUnder, type StateKeyOf, valueUnder } from './resource-step.ts';
import { parkingLater, removalOptions, waitOptions } from './wait-options.ts';

interface BackupStep<Context, State extends object>
  extends Pick<Step<Context, State>, 'name' | 'beginUpdate' | 'when' | 'resourceId'> {
  /** The key of the state for the backup's id. */
  key: StateKeyOf<State, string>;
  /** The job's mark is added to the metadata. */
  request(context: StepContext<Context, State>): BackupCreate & { name: string };
}

/**
 * Creates a backup and waits until it is available, which may take hours; the rollback deletes it. The
 * service refuses to delete a backup that is being created, so that the rollback waits for its end.
 */
export function backupStep<Context extends ResourceContext, State extends object>(
  spec: BackupStep<Context, State>,
): Step<Context, State> {
  const { key, request, ...step } = spec;
  const idIn = (result: Partial<State>) => valueUnder<State, string>(result, key);
  return {
    ...step,
    async run(context) {
      const { metadata, ...backup } = request(context);
      const { blockStorage } = await context.resourceOwner.client();
      const { id } = await blockStorage.backups.create({
        ...backup,
        metadata: { ...metadata, [JOB_METADATA_KEY]: context.jobId },
      });
      return resultUnder(key, id);
    },
    async find(context) {
      const { name } = request(context);
      const rights = await context.resourceOwner.removal();
      const backups = await findBackups(rights.remover(), name, await context.resourceOwner.mark());
      return backups.map(({ id }) => resultUnder(key, id));
    },
    async settle(context, result) {
      const { blockStorage } = await context.resourceOwner.client();
      await waitForStatus(
        () => readNew(blockStorage.backups, idIn(result)),
        ({ status }) => status,
        {
          ...waitOptions(parkingLater(context), 'backup', {
            describe: 'The backup',
            seconds: context.config.timeLimits.backupSeconds,
          }),
          targetStates: ['available', 'restoring'],
          failedStates: ['error', 'deleting', 'error_deleting', 'deleted'],
        },
      );
      return undefined;
    },
    async undo(context, result) {
      const { backupSeconds, volumeSeconds } = context.config.timeLimits;
      const wait = removalOptions(context, 'backup', volumeSeconds, backupSeconds);
      await removeBackup(await context.resourceOwner.removal(), idIn(result), wait);
    },
    leftover: (result) => ({ type: 'backup', id: idIn(result) }),
  };
}

async function readNew(
  backups: { get(id: string): Promise<BackupRecord> },
  id: string,
): Promise<BackupRecord> {
  try {
    return await backups.get(id);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw conflict('changed_meanwhile', 'The backup was deleted before it was available.', { cause: error });
  }
}
