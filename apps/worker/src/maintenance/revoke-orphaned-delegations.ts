import { newRequestId, toTimestamp } from '@gateway/core';
import { type DelegationIntent, readOpenJobs, readQueued, readSweeps } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';

/**
 * Revokes delegations that were created for jobs which were never queued, because an api process died in
 * between, or because the identity service created them without a response.
 */
export async function revokeOrphanedDelegations(worker: WorkerContext): Promise<void> {
  const { delegationIntents, logger, serviceAccount, stopping } = worker;
  if (!serviceAccount.isConfigured) return;
  for (const [id, intent] of await delegationIntents.readAll()) {
    if (stopping.signal.aborted) return;
    try {
      if (await isSettled(worker, intent)) await delegationIntents.remove(id);
    } catch (error) {
      logger.warn('An unused delegation could not be revoked yet', { user_id: intent.trustorId, error });
    }
  }
}

/** Revokes unused delegations. Returns whether no further one can appear. */
async function isSettled(worker: WorkerContext, intent: DelegationIntent): Promise<boolean> {
  const { config, delegations } = worker;
  // Only a search that starts after this time finds what a late call has created. By then, the request of the
  // call has ended.
  const ageMs = Date.now() - intent.since;
  if (ageMs < config.jobs.lateCallSeconds * 1000) return false;
  const call = { requestId: newRequestId() };
  const found = await delegations.find(intent, call);
  // Read in this order: a request removes its intent only after a job uses the delegation.
  if (found.length > 0 && (await hasRunningRequest(worker, intent))) return false;
  const inUse = found.length === 0 ? new Set<string>() : await delegationsInUse(worker);
  for (const delegation of found) {
    if (!inUse.has(delegation.trustId)) await delegations.revoke(delegation, null, call);
  }
  return ageMs >= config.jobs.recheckSeconds * 1000;
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
    ...(await readSweeps(redis.store)).keys(),
  ];
  const trustIds = new Set<string>();
  for (const jobId of jobIds) {
    const handle = (await readQueued(redis.store, jobId))?.credentialHandle ?? null;
    const trustId = handle === null ? undefined : (await credentials.get(handle))?.delegation?.trustId;
    if (trustId !== undefined) trustIds.add(trustId);
  }
  return trustIds;
}
