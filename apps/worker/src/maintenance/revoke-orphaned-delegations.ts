import { newRequestId, systemClock, toTimestamp } from '@gateway/core';
import { type DelegationIntent, readOpenJobs, readQueued, settleIntents, sweptJobs } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';

/**
 * Revokes delegations that were created for jobs which were never queued, because an api process died in
 * between, or because the identity service created them without a response.
 */
export async function revokeOrphanedDelegations(worker: WorkerContext): Promise<void> {
  const { config, delegationIntents, delegations, logger, serviceAccount, stopping } = worker;
  if (!serviceAccount.isConfigured) return;
  await settleIntents(delegationIntents, {
    clock: systemClock,
    lateCallMs: config.jobs.lateCallSeconds * 1000,
    recheckMs: config.jobs.recheckSeconds * 1000,
    stopping: stopping.signal,
    async removeUnused(intent) {
      const call = { requestId: newRequestId() };
      const found = await delegations.find(intent, call);
      // Read in this order: a request removes its intent only after a job uses the delegation.
      if (found.length > 0 && (await hasRunningRequest(worker, intent))) return false;
      const inUse = found.length === 0 ? new Set<string>() : await delegationsInUse(worker);
      for (const delegation of found) {
        if (!inUse.has(delegation.trustId)) await delegations.revoke(delegation, null, call);
      }
      return true;
    },
    onError: (error, intent) =>
      logger.warn('An unused delegation could not be revoked yet', { user_id: intent?.trustorId, error }),
  });
}

/** Whether another request, which may still run, creates a delegation that `find` does not distinguish. */
async function hasRunningRequest({ config, delegationIntents }: WorkerContext, intent: DelegationIntent) {
  const youngest = Date.now() - config.jobs.lateCallSeconds * 1000;
  return (await delegationIntents.readAll())
    .values()
    .some(
      ({ expiresAt, projectId, since, trustorId }) =>
        since > youngest &&
        projectId === intent.projectId &&
        trustorId === intent.trustorId &&
        toTimestamp(expiresAt) === toTimestamp(intent.expiresAt),
    );
}

/** The trusts of all jobs that have not ended or are still swept. */
async function delegationsInUse({ credentials, redis }: WorkerContext): Promise<Set<string>> {
  const jobIds = [
    ...(await readOpenJobs(redis.store, Number.MAX_SAFE_INTEGER)),
    ...(await sweptJobs(redis.store)),
  ];
  const trustIds = new Set<string>();
  for (const jobId of jobIds) {
    const handle = (await readQueued(redis.store, jobId))?.credentialHandle ?? null;
    const trustId = handle === null ? undefined : (await credentials.get(handle))?.delegation?.trustId;
    if (trustId !== undefined) trustIds.add(trustId);
  }
  return trustIds;
}
