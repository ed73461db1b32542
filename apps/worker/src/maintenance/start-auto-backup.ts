import { startDueRun } from '@gateway/auto-backup';
import type { WorkerContext } from '../context.ts';

/**
 * Starts the run of an auto backup that is due; removes the queue entry of one that has no configuration any
 * more.
 *
 * @param entryDue the due time that the queue reports, in milliseconds since the epoch
 */
export async function startAutoBackup(
  { autoBackups, logger, producer, queues, redis }: WorkerContext,
  configurationId: string,
  entryDue?: number,
): Promise<void> {
  const { store, entries } = autoBackups;
  const { store: connection, replicatedWrite } = redis;
  const parts = { redis: connection, replicatedWrite, queues, producer, store };
  const outcome = await startDueRun(parts, configurationId, entryDue);
  if (outcome === 'no configuration') await entries.update(configurationId);
  if (outcome === 'skipped') {
    logger.warn('An auto backup was skipped: the previous run has not ended', {
      configuration_id: configurationId,
    });
  }
}
