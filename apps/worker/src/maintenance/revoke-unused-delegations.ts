import { cancelRun, needsDelegation } from '@gateway/auto-backup';
import { newRequestId } from '@gateway/core';
import type { WorkerContext } from '../context.ts';

/** Revokes delegations of auto backups that were removed or replaced, or whose set-up was not completed. */
export async function revokeUnusedDelegations({
  autoBackups,
  config,
  logger,
  queues,
  redis,
  serviceAccount,
}: WorkerContext): Promise<void> {
  if (!serviceAccount.isConfigured) return;
  const { store, delegations } = autoBackups;
  const call = { requestId: newRequestId() };
  const runs = { redis: redis.store, queues };
  const onError = (error: unknown) =>
    logger.warn('A delegation of an auto backup could not be revoked yet', { error });
  await delegations.revokeRetired(call, {
    onError,
    async isNeeded(configurationId) {
      if ((await store.read(configurationId)) !== null) return false;
      // A run whose configuration was removed rolls back with the delegation.
      await cancelRun(runs, configurationId);
      return needsDelegation(runs, configurationId);
    },
  });
  await delegations.sweepIntents(call, {
    onError,
    lateCallMs: config.jobs.lateCallSeconds * 1000,
    recheckMs: config.jobs.recheckSeconds * 1000,
    async sealedInUse() {
      const records = await Promise.all((await store.allIds()).map((id) => store.read(id)));
      return records.flatMap((record) => (record === null ? [] : [record.sealedDelegation]));
    },
  });
}
