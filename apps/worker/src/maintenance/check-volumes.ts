import type { AutoBackup } from '@gateway/auto-backup';
import { newRequestId } from '@gateway/core';
import { nullIfNotFound, type ProjectClient } from '@gateway/openstack';
import type { WorkerContext } from '../context.ts';
import { autoBackupCredentials } from '../jobs/auto-backup-credentials.ts';
import { isAccessLost } from '../saga/index.ts';

/**
 * Ends auto backups whose volume is gone, in the projects in which volumes have changed. Users have set them
 * up, so one check is not enough: a volume counts as gone when neither the list nor a read of the volume
 * finds it, twice, `jobs.recheck_seconds` apart.
 */
export async function checkVolumes(worker: WorkerContext): Promise<void> {
  const { autoBackups, logger, stopping } = worker;
  const { store } = autoBackups;
  for (const [projectId, check] of await store.requestedVolumeChecks()) {
    if (stopping.signal.aborted) return;
    try {
      const configurations = await store.readOfProject(projectId);
      if (!(await areAnyLeaving(worker, configurations))) await store.endVolumeCheck(projectId, check);
    } catch (error) {
      logger.warn('The volumes of auto backups could not be checked', { project_id: projectId, error });
    }
  }
}

/** Returns whether a further check is needed. */
async function areAnyLeaving(worker: WorkerContext, configurations: readonly AutoBackup[]): Promise<boolean> {
  let states: Map<string, string> | null = null;
  let areLeaving = false;
  for (const configuration of configurations) {
    const { id, missingSince, volumeId } = configuration;
    try {
      const client = reader(worker, configuration);
      states ??= await statesOfVolumes(client);
      const status = states.get(volumeId) ?? (await statusOf(client, volumeId));
      if (status !== null) {
        if (status === 'deleting') areLeaving = true;
        if (missingSince !== null) await worker.autoBackups.store.markFound(id);
      } else if (!(await endIfConfirmed(worker, configuration))) areLeaving = true;
    } catch (error) {
      // Others were set up by users whose rights may work.
      if (!isAccessLost(error)) throw error;
      areLeaving = true;
      worker.logger.warn('The volume of an auto backup could not be checked', {
        configuration_id: id,
        error,
      });
    }
  }
  return areLeaving;
}

function reader(worker: WorkerContext, { id, projectId }: AutoBackup): ProjectClient {
  const { logger } = worker;
  const call = { requestId: newRequestId() };
  const rights = { configurationId: id, projectId, onlyRemoves: true, call, logger };
  return autoBackupCredentials(worker, rights).remover;
}

async function statesOfVolumes({ blockStorage }: ProjectClient): Promise<Map<string, string>> {
  return new Map((await blockStorage.volumes.list()).map(({ id, status }) => [id, status]));
}

async function statusOf({ blockStorage }: ProjectClient, volumeId: string): Promise<string | null> {
  return (await nullIfNotFound(blockStorage.volumes.get(volumeId)))?.status ?? null;
}

/**
 * Ends an auto backup whose volume was already missing in an earlier check; returns whether it has ended. Its
 * delegation is revoked with the unused ones.
 */
async function endIfConfirmed(
  { autoBackups, config, logger }: WorkerContext,
  { id, projectId, volumeId }: AutoBackup,
): Promise<boolean> {
  const { entries, store } = autoBackups;
  const now = Date.now();
  const since = await store.markMissing(id, now);
  if (since !== null && now - since < config.jobs.recheckSeconds * 1000) return false;
  await store.remove(projectId, volumeId, id);
  await entries.update(id);
  logger.info('An auto backup has ended: its volume is gone', { configuration_id: id, volume_id: volumeId });
  return true;
}
