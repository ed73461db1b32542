import { runInProgress } from '@gateway/auto-backup';
import type { WorkerContext } from '../context.ts';
import { startAutoBackup } from '../jobs/start-auto-backup.ts';
import { checkVolumes } from './check-volumes.ts';
import { revokeUnusedDelegations } from './revoke-unused-delegations.ts';

/** By then a run that was started has its job. */
const START_MS = 60_000;

/**
 * Keeps auto backups going: restores queue entries that a failover or a dead process has lost, starts runs
 * that were missed, ends those whose volume is gone, and revokes delegations that no configuration uses.
 */
export async function keepAutoBackups(worker: WorkerContext): Promise<void> {
  const { autoBackups, logger } = worker;
  const ids = await autoBackups.store.allIds();
  const onError = (error: unknown, id: string) =>
    logger.warn('An auto backup could not be checked', { configuration_id: id, error });
  const changed = await autoBackups.entries.reconcile(ids, onError);
  if (changed.length > 0) {
    logger.warn('Queue entries of auto backups were corrected', { count: changed.length });
  }
  await freePlaces(worker, onError);
  const waiting = await autoBackups.store.waitingIds();
  if (waiting.length > 0) logger.info('Auto backups wait for others to end', { count: waiting.length });
  for (const id of new Set([...waiting, ...ids])) {
    if (worker.stopping.signal.aborted) return;
    try {
      await startAutoBackup(worker, id);
      const record = await autoBackups.store.read(id);
      if (record !== null) await autoBackups.delegations.renewSeal(record);
    } catch (error) {
      onError(error, id);
    }
  }
  await checkVolumes(worker);
  await revokeUnusedDelegations(worker);
}

/** Ends the places of runs whose end could not do so. */
async function freePlaces(
  { autoBackups, queues, redis }: WorkerContext,
  onError: (error: unknown, id: string) => void,
): Promise<void> {
  const { store } = autoBackups;
  for (const id of await store.runningSince(Date.now() - START_MS)) {
    try {
      if ((await runInProgress({ redis: redis.store, queues }, id)) === null) await store.leavePlace(id);
    } catch (error) {
      // Its place counts as taken until the record can be read.
      onError(error, id);
    }
  }
}
