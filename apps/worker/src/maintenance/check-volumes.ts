import type { AutoBackup } from '@gateway/auto-backup';
import { newRequestId } from '@gateway/core';
import { nullIfNotFound, type ProjectClient } from '@gateway/openstack';
import type { WorkerContext } from '../context.ts';
import { autoBackupCredentials } from '../jobs/auto-backup-credentials.ts';

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
    const { id, projectId, volumeId } = configuration;
    const call = { requestId: newRequestId() };
    const client = autoBackupCredentials(worker, {
      configurationId: id,
      projectId,
      call,
      logger: worker.logger,
    }).remover;
    states ??= await statesOfVolumes(client);
    const status = states.get(volumeId) ?? (await statusOf(client, volumeId));
    if (status !== null) {
      if (status === 'deleting') areLeaving = true;
      if (configuration.missingSince !== null) await worker.autoBackups.store.markFound(id);
    } else if (!(await endIfConfirmed(worker, configuration))) areLeaving = true;
  }
  return areLeaving;
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
