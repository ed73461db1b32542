import type { QueuedJob } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';
import { revokeKeptTokens } from './revoke-kept-tokens.ts';

/**
 * Revokes the credentials that a job has used, and deletes the stored one. Call it once nothing is left to do
 * for the job, and again if it throws; otherwise they expire by themselves.
 */
export async function releaseCredential(
  worker: WorkerContext,
  { credentialHandle, requestId }: Pick<QueuedJob, 'credentialHandle' | 'requestId'>,
): Promise<void> {
  const { credentialMakers, credentials, delegations, logger } = worker;
  if (credentialHandle === null) return;
  const credential = await credentials.get(credentialHandle);
  if (credential === null) return;
  const { credentialMaker, delegation, undelegated } = credential;
  const call = { requestId };
  if (credentialMaker !== undefined && !(await credentialMakers.remove(credentialMaker, credential, call))) {
    logger.warn('Application credential of a creation could not be removed; it expires by itself', {
      request_id: requestId,
      application_credential_id: credentialMaker.id,
    });
  }
  if (delegation !== undefined && !(await delegations.revoke(delegation, credential, call))) {
    logger.warn('Delegation could not be ended; it expires by itself', {
      request_id: requestId,
      expires_at: delegation.expiresAt,
    });
  }
  await credentials.remove(credentialHandle);
  if (undelegated !== undefined) await revokeKeptTokens(worker, call);
}
