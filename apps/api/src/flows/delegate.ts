import { readQueued } from '@gateway/jobs';
import type { DelegatedIdentity, Delegation, Identity } from '@gateway/openstack';
import type { AppContext } from '../context.ts';
import type { RequestContext } from '../pipeline/request-context.ts';

type DelegatingApp = Pick<
  AppContext,
  'clock' | 'config' | 'credentials' | 'delegations' | 'logger' | 'redis'
>;

export type DelegatingRequest = Pick<RequestContext, 'caller' | 'requestId'> & { app: DelegatingApp };

export interface DelegationNeed {
  /** The job's work goes on after the token's end, whatever that is. */
  outlivesToken?: boolean;
}

/** Longer than any job and the sweeping up after it: a delegation that is forgotten ends by itself. */
const LIFETIME_MS = 24 * 3600 * 1000;

/**
 * Queues a job with what it acts with: the caller's identity, and a delegation where his token may end before the
 * job. One that serves no job after all is ended again; a process that dies between the two leaves it to its own end.
 */
export async function enqueueDelegated(
  request: DelegatingRequest,
  enqueue: (credential: DelegatedIdentity) => Promise<string>,
  need: DelegationNeed = {},
): Promise<string> {
  const { app, caller, requestId } = request;
  const { identity } = caller;
  const delegation = isNeeded(app, identity, need)
    ? await app.delegations.create(identity, LIFETIME_MS, { requestId })
    : null;
  if (delegation === null) return enqueue(identity);

  try {
    const jobId = await enqueue({ ...identity, delegation });
    // A job that was there already goes on with what it was queued with.
    if (!(await servesJob(app, jobId, delegation.trustId))) await end(request, delegation);
    return jobId;
  } catch (error) {
    void end(request, delegation);
    throw error;
  }
}

function isNeeded({ clock, config }: DelegatingApp, { expiresAt }: Identity, need: DelegationNeed): boolean {
  if (need.outlivesToken === true) return true;
  return Date.parse(expiresAt) - clock.now() < config.jobs.delegateBelowSeconds * 1000;
}

/** Also true when that can not be told: whoever runs the job ends what it was queued with. */
async function servesJob(
  { credentials, redis }: DelegatingApp,
  jobId: string,
  trustId: string,
): Promise<boolean> {
  try {
    const queued = await readQueued(redis.store, jobId);
    if (queued === null) return true;
    return (await credentials.get(queued.credentialHandle))?.delegation?.trustId === trustId;
  } catch {
    return true;
  }
}

async function end({ app, caller, requestId }: DelegatingRequest, delegation: Delegation): Promise<void> {
  try {
    await app.delegations.revoke(delegation, caller.identity, { requestId });
  } catch (error) {
    app.logger.warn('A delegation that serves no job could not be ended; it ends by itself', {
      request_id: requestId,
      error,
    });
  }
}
