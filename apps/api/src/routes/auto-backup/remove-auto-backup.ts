import { endRuns, needsDelegation } from '@gateway/auto-backup';
import type { RequestContext } from '../../pipeline/request-context.ts';

/**
 * Removes the auto backup of a volume; returns false when there is none. Its backups remain. A run in
 * progress is cancelled, and its delegation is revoked when the run has rolled back and left nothing.
 */
export async function removeAutoBackup(
  { app, caller, logger, requestId }: RequestContext,
  volumeId: string,
): Promise<boolean> {
  const { delegations, entries, store } = app.autoBackups;
  const { identity } = caller;
  const id = await store.remove(identity.projectId, volumeId);
  if (id === null) return false;
  const runs = { redis: app.redis.store, queues: app.queues };
  try {
    await endRuns({ ...runs, entries }, id);
    await delegations.revokeRetired(
      { requestId },
      {
        configurationId: id,
        owner: identity,
        isNeeded: () => needsDelegation(runs, id),
      },
    );
  } catch (error) {
    // The maintenance task does the rest.
    logger.warn('The removal of an auto backup is completed later', { error });
  }
  return true;
}
