import { readQueued } from '@gateway/jobs';
import { type DelegatedIdentity, type Delegation, rolesToDelegate } from '@gateway/openstack';
import type { AppContext } from '../context.ts';
import type { RequestContext } from '../pipeline/request-context.ts';

type DelegationContext = Pick<AppContext, 'config' | 'credentials' | 'delegations' | 'logger' | 'redis'>;

type DelegatingRequest = Pick<RequestContext, 'caller' | 'requestId'> & { app: DelegationContext };

interface DelegationOptions {
  /** The job works with the administrator's rights of its caller. Without this they are not delegated. */
  asAdministrator?: boolean;
}

/** Longer than any job and its clean-up. A delegation that was not revoked expires after this time. */
export const DELEGATION_LIFETIME_MS = 24 * 3600 * 1000;

/**
 * Enqueues a job with a delegation of the caller, so that the job goes on after a log-out, a new password, or the end of the
 * token. Where none can be had, the job works with the token, and the log-out waits for the job.
 *
 * If no job uses the delegation, it is revoked. If the process dies before that, the delegation expires by itself.
 */
export async function enqueueWithDelegation(
  request: DelegatingRequest,
  enqueue: (credential: DelegatedIdentity) => Promise<string>,
  { asAdministrator = false }: DelegationOptions = {},
): Promise<string> {
  const { app, caller, requestId } = request;
  const { identity } = caller;
  const roles = asAdministrator ? identity.roles : rolesToDelegate(identity, app.config.identity.adminRole);
  const lifetimeMs = DELEGATION_LIFETIME_MS;
  const delegated = await app.delegations.create(identity, { roles, lifetimeMs }, { requestId });
  const { delegation } = delegated;
  if (delegation === undefined) return enqueue({ ...identity, ...delegated });

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
