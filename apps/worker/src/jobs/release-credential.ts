import type { QueuedJob } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';

/**
 * Gives up what a job acted with, when nothing is left to be done for it: its delegation ends, and then what is kept
 * of it. May be repeated, and is to be repeated when it throws; at the latest both end by themselves.
 */
export async function releaseCredential(
  { credentials, delegations, logger }: WorkerContext,
  { credentialHandle, requestId }: Pick<QueuedJob, 'credentialHandle' | 'requestId'>,
): Promise<void> {
  const credential = await credentials.get(credentialHandle);
  if (credential === null) return;
  const { delegation } = credential;
  if (delegation !== undefined && !(await delegations.revoke(delegation, credential, { requestId }))) {
    logger.warn('A delegation can not be ended; it ends by itself', {
      request_id: requestId,
      expires_at: delegation.expiresAt,
    });
  }
  await credentials.remove(credentialHandle);
}
