import { beginOfEntry, startDueRun } from '@gateway/auto-backup';
import type { WorkerContext } from '../context.ts';

/**
 * Starts the run of an auto backup that is due; removes the queue entry of one that has no configuration any
 * more.
 *
 * @param entryDue the due time that the queue reports, in milliseconds since the epoch
 */
export async function startAutoBackup(
  worker: WorkerContext,
  configurationId: string,
  entryDue?: number,
): Promise<void> {
  const { autoBackups, logger } = worker;
  const outcome = await startDueRun(partsOf(worker), configurationId, entryDue);
  if (outcome === 'no configuration') await autoBackups.entries.update(configurationId);
  if (outcome === 'skipped') {
    logger.warn('An auto backup was skipped: the previous run has not ended', {
      configuration_id: configurationId,
    });
  }
}

/** As `startAutoBackup`. Returns the milliseconds until the run begins, and starts nothing before. */
export async function startAutoBackupInTime(
  worker: WorkerContext,
  configurationId: string,
  entryDue: number,
): Promise<number> {
  const begin = await beginOfEntry(partsOf(worker), configurationId, entryDue);
  const waitMs = begin === null ? 0 : Math.max(0, begin - Date.now());
  if (waitMs === 0) await startAutoBackup(worker, configurationId, entryDue);
  return waitMs;
}

/** Ends the place of a run among those at once, and starts the one that has waited longest. */
export async function leavePlace(worker: WorkerContext, configurationId: string): Promise<void> {
  const { store } = worker.autoBackups;
  await store.leavePlace(configurationId);
  const next = await store.firstWaiting();
  if (next !== null) await startAutoBackup(worker, next.id);
}

function partsOf({ autoBackups, config, producer, queues, redis }: WorkerContext) {
  const { store } = autoBackups;
  return { redis: redis.store, queues, producer, store, settings: config.autoBackup };
}
