import { storeUnavailable } from '@gateway/core';
import type { JobRequest, JobType } from '@gateway/jobs';
import { type ApplicationCredentialLogin, type DelegatedIdentity, rolesToDelegate } from '@gateway/openstack';
import type { AppContext } from '../context.ts';
import type { RequestContext } from '../pipeline/request-context.ts';
import { endIntent, enqueueWithMade } from './enqueue-with-made.ts';

type DelegationContext = Pick<
  AppContext,
  | 'clock'
  | 'config'
  | 'credentials'
  | 'delegationIntents'
  | 'delegations'
  | 'logger'
  | 'producer'
  | 'redis'
  | 'sessionCredentials'
>;

type DelegatingRequest = Pick<RequestContext, 'caller' | 'jobId' | 'requestId'> & { app: DelegationContext };

/** Without a `jobId`, the job gets that of the request. */
type CallersJob<T extends JobType> = Omit<JobRequest<T, DelegatedIdentity>, 'credential' | 'requestId'>;

interface DelegationOptions {
  /** The job needs the administrator's rights of its caller, which are not delegated otherwise. */
  asAdministrator?: boolean;
  /** With which the job creates an application credential of the caller. */
  maker?: ApplicationCredentialLogin;
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
 * @throws as `Producer.enqueue`
 */
export async function enqueueWithDelegation<T extends JobType>(
  request: DelegatingRequest,
  job: CallersJob<T>,
  { asAdministrator = false, maker }: DelegationOptions = {},
): Promise<string> {
  const { app, caller, jobId, requestId } = request;
  const { identity } = caller;
  const enqueue = (rights: Partial<DelegatedIdentity>) =>
    app.producer.enqueue({
      jobId,
      ...job,
      credential: { ...identity, ...rights, ...(maker && { credentialMaker: maker }) },
      requestId,
    });
  if (identity.origin === 'application_credential') {
    const login = await app.sessionCredentials.of(caller.sessionId);
    const expiresAt = new Date(app.clock.now() + DELEGATION_LIFETIME_MS).toISOString();
    if (login !== null) return enqueue({ applicationCredential: { ...login, expiresAt } });
  }
  const roles = asAdministrator ? identity.roles : rolesToDelegate(identity, app.config.identity.adminRole);
  const { intentId, delegation, undelegated } = await delegate(request, roles);
  if (delegation === undefined) {
    if (undelegated !== 'failed') endIntent({ intents: app.delegationIntents, intentId });
    return enqueue({ undelegated });
  }
  return enqueueWithMade(
    app,
    {
      intents: app.delegationIntents,
      intentId,
      isIn: (used) => used.delegation?.trustId === delegation.trustId,
      remove: () => app.delegations.revoke(delegation, identity, { requestId }),
      onRemovalFailed: (error) =>
        app.logger.warn('An unused delegation could not be revoked yet', { request_id: requestId, error }),
    },
    () => enqueue({ delegation }),
  );
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
        const stored = await app.delegationIntents.put(intent, intentId).catch((cause: unknown) => {
          throw storeUnavailable('The job could not be queued. Please try again.', {
            cause,
            retryAfterSeconds: 5,
          });
        });
        intentId = stored.id;
      },
    },
    { requestId },
  );
  return { ...delegated, intentId };
}
