import type { WorkerContext } from '../context.ts';
import { checkVolumes } from './check-volumes.ts';
import { revokeUnusedDelegations } from './revoke-unused-delegations.ts';
import { startAutoBackup } from './start-auto-backup.ts';

/**
 * Keeps auto backups going: restores queue entries that a failover or a dead process has lost, starts runs
 * that were missed, ends those whose volume is gone, and revokes delegations that no configuration uses.
 */
export async function keepAutoBackups(worker: WorkerContext): Promise<void> {
  const { autoBackups, logger } = worker;
  const ids = await autoBackups.store.allIds();
  const changed = await autoBackups.entries.reconcile(ids);
  if (changed.length > 0) {
    logger.warn('Queue entries of auto backups were corrected', { count: changed.length });
  }
  for (const id of ids) {
    if (worker.stopping.signal.aborted) return;
    try {
      await startAutoBackup(worker, id);
      const record = await autoBackups.store.read(id);
      if (record !== null) await autoBackups.delegations.renewSeal(record);
    } catch (error) {
      logger.warn('An auto backup could not be checked', { configuration_id: id, error });
    }
  }
  await checkVolumes(worker);
  await revokeUnusedDelegations(worker);
}
