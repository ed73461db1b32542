import type { QueuedJob } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';

/**
 * Revokes a job's delegation and deletes its stored credential. Call it once nothing is left to do for the job, and
 * again if it throws; otherwise both expire by themselves.
 */
export async function releaseCredential(
  { credentials, delegations, logger }: WorkerContext,
  { credentialHandle, requestId }: Pick<QueuedJob, 'credentialHandle' | 'requestId'>,
): Promise<void> {
  if (credentialHandle === null) return;
  const credential = await credentials.get(credentialHandle);
  if (credential === null) return;
  const { delegation } = credential;
  if (delegation !== undefined && !(await delegations.revoke(delegation, credential, { requestId }))) {
    logger.warn('Delegation could not be ended; it expires by itself', {
      request_id: requestId,
      expires_at: delegation.expiresAt,
    });
  }
  await credentials.remove(credentialHandle);
}
