import { storeUnavailable } from '@gateway/core';
import { readQueued } from '@gateway/jobs';
import { type DelegatedIdentity, type Delegation, rolesToDelegate } from '@gateway/openstack';
import type { AppContext } from '../context.ts';
import type { RequestContext } from '../pipeline/request-context.ts';

type DelegationContext = Pick<
  AppContext,
  | 'clock'
  | 'config'
  | 'credentials'
  | 'delegationIntents'
  | 'delegations'
  | 'logger'
  | 'redis'
  | 'sessionCredentials'
>;

type DelegatingRequest = Pick<RequestContext, 'caller' | 'requestId'> & { app: DelegationContext };

interface DelegationOptions {
  /** The job needs the administrator's rights of its caller, which are not delegated otherwise. */
  asAdministrator?: boolean;
}

/**
 * At least twelve hours longer than any job and its clean-up. A delegation that was not revoked expires after
 * this time.
 */
export const DELEGATION_LIFETIME_MS = 36 * 3600 * 1000;

/**
 * Enqueues a job with a delegation of the caller, so that the job continues after a log-out, a new password,
 * or the end of the token. Without a delegation, the job uses the token, which a log-out then revokes only
 * after the job. A program that has logged in with an application credential cannot delegate: its job logs in
 * with the credential.
 *
 * A delegation that no job uses is revoked here, or by the workers if this process dies first. See decision
 * 24.
 *
 * @throws 503 when the store is unavailable
 */
export async function enqueueWithDelegation(
  request: DelegatingRequest,
  enqueue: (credential: DelegatedIdentity) => Promise<string>,
  { asAdministrator = false }: DelegationOptions = {},
): Promise<string> {
  const { app, caller } = request;
  const { identity } = caller;
  if (identity.origin === 'application_credential') {
    const login = await app.sessionCredentials.of(caller.sessionId);
    const expiresAt = new Date(app.clock.now() + DELEGATION_LIFETIME_MS).toISOString();
    if (login !== null) return enqueue({ ...identity, applicationCredential: { ...login, expiresAt } });
  }
  const roles = asAdministrator ? identity.roles : rolesToDelegate(identity, app.config.identity.adminRole);
  const { intentId, delegation, undelegated } = await delegate(request, roles);
  if (delegation === undefined) {
    if (intentId !== undefined && undelegated !== 'failed') endIntent(app, intentId);
    return enqueue({ ...identity, undelegated });
  }
  const revoke = () => revokeUnused(request, delegation, intentId);
  try {
    const jobId = await enqueue({ ...identity, delegation });
    // A job that was queued before keeps its own credential.
    const isUsed = await isUsedByJob(app, jobId, (used) => used.delegation?.trustId === delegation.trustId);
    if (isUsed) endIntent(app, intentId);
    else await revoke();
    return jobId;
  } catch (error) {
    void revoke();
    throw error;
  }
}

async function delegate({ app, caller, requestId }: DelegatingRequest, roles: readonly string[]) {
  const { projectId, userId: trustorId } = caller.identity;
  let intentId: string | undefined;
  const delegated = await app.delegations.create(
    caller.identity,
    {
      roles,
      lifetimeMs: DELEGATION_LIFETIME_MS,
      async beforeCreate(expiresAt) {
        const intent = { trustorId, projectId, expiresAt, since: app.clock.now() };
        intentId = await app.delegationIntents.put(intent, intentId).catch((cause: unknown) => {
          throw storeUnavailable('The job could not be queued. Please try again.', {
            cause,
            retryAfterSeconds: 5,
          });
        });
      },
    },
    { requestId },
  );
  return { ...delegated, intentId };
}

/** The workers remove an intent that remains, once they find that a job uses the delegation. */
function endIntent({ delegationIntents }: DelegationContext, intentId: string | undefined): void {
  if (intentId !== undefined) delegationIntents.remove(intentId).catch(() => {});
}

/** Also true if the store does not answer. The worker revokes the credentials of a job that has ended. */
export async function isUsedByJob(
  { credentials, redis }: Pick<DelegationContext, 'credentials' | 'redis'>,
  jobId: string,
  isThisOne: (credential: DelegatedIdentity) => boolean,
): Promise<boolean> {
  try {
    const queued = await readQueued(redis.store, jobId);
    if (queued === null || queued.credentialHandle === null) return true;
    const used = await credentials.get(queued.credentialHandle);
    return used !== null && isThisOne(used);
  } catch {
    return true;
  }
}

async function revokeUnused(
  { app, caller, requestId }: DelegatingRequest,
  delegation: Delegation,
  intentId: string | undefined,
): Promise<void> {
  try {
    if (await app.delegations.revoke(delegation, caller.identity, { requestId })) endIntent(app, intentId);
  } catch (error) {
    app.logger.warn('An unused delegation could not be revoked yet', { request_id: requestId, error });
  }
}
