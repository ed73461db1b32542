import { storeUnavailable } from '@gateway/core';
import { type DelegatedIdentity, rolesToDelegate } from '@gateway/openstack';
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
  const { app, caller, requestId } = request;
  const { identity } = caller;
  if (identity.origin === 'application_credential') {
    const login = await app.sessionCredentials.of(caller.sessionId);
    const expiresAt = new Date(app.clock.now() + DELEGATION_LIFETIME_MS).toISOString();
    if (login !== null) return enqueue({ ...identity, applicationCredential: { ...login, expiresAt } });
  }
  const roles = asAdministrator ? identity.roles : rolesToDelegate(identity, app.config.identity.adminRole);
  const { intentId, delegation, undelegated } = await delegate(request, roles);
  if (delegation === undefined) {
    if (undelegated !== 'failed') endIntent({ intents: app.delegationIntents, intentId });
    return enqueue({ ...identity, undelegated });
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
    () => enqueue({ ...identity, delegation }),
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
