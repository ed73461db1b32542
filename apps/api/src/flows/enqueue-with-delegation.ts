import { readQueued } from '@gateway/jobs';
import type { DelegatedIdentity, Delegation, Identity } from '@gateway/openstack';
import type { AppContext } from '../context.ts';
import type { RequestContext } from '../pipeline/request-context.ts';

type DelegationContext = Pick<
  AppContext,
  'clock' | 'config' | 'credentials' | 'delegations' | 'logger' | 'redis'
>;

export type DelegatingRequest = Pick<RequestContext, 'caller' | 'requestId'> & { app: DelegationContext };

export interface DelegationOptions {
  /** The job always runs longer than the caller's token is valid. */
  outlivesToken?: boolean;
}

/** Longer than any job and its clean-up. A delegation that was not revoked expires after this time. */
const LIFETIME_MS = 24 * 3600 * 1000;

/**
 * Enqueues a job with the caller's identity, and with a delegation if the caller's token may expire before the job ends. If
 * no job uses the delegation, it is revoked. If the process dies before that, the delegation expires by itself.
 */
export async function enqueueWithDelegation(
  request: DelegatingRequest,
  enqueue: (credential: DelegatedIdentity) => Promise<string>,
  options: DelegationOptions = {},
): Promise<string> {
  const { app, caller, requestId } = request;
  const { identity } = caller;
  const delegation = isNeeded(app, identity, options)
    ? await app.delegations.create(identity, LIFETIME_MS, { requestId })
    : null;
  if (delegation === null) return enqueue(identity);

  try {
    const jobId = await enqueue({ ...identity, delegation });
    // A job that was queued before keeps its own credential.
    if (!(await isUsedByJob(app, jobId, delegation.trustId))) await revoke(request, delegation);
    return jobId;
  } catch (error) {
    void revoke(request, delegation);
    throw error;
  }
}

function isNeeded(
  { clock, config }: DelegationContext,
  { expiresAt }: Identity,
  options: DelegationOptions,
): boolean {
  if (options.outlivesToken === true) return true;
  return Date.parse(expiresAt) - clock.now() < config.jobs.delegateBelowSeconds * 1000;
}

/** Also true if the store can not tell. The worker revokes the delegation of a job that has ended. */
async function isUsedByJob(
  { credentials, redis }: DelegationContext,
  jobId: string,
  trustId: string,
): Promise<boolean> {
  try {
    const queued = await readQueued(redis.store, jobId);
    if (queued === null || queued.credentialHandle === null) return true;
    return (await credentials.get(queued.credentialHandle))?.delegation?.trustId === trustId;
  } catch {
    return true;
  }
}

async function revoke({ app, caller, requestId }: DelegatingRequest, delegation: Delegation): Promise<void> {
  try {
    await app.delegations.revoke(delegation, caller.identity, { requestId });
  } catch (error) {
    app.logger.warn('Failed to revoke an unused delegation; it expires by itself', {
      request_id: requestId,
      error,
    });
  }
}
