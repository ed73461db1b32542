import { GatewayError, storeUnavailable } from '@gateway/core';
import type { KeptTokens } from '@gateway/jobs';
import type { CallContext, Openstack } from '@gateway/openstack';
import type { Logger } from '@gateway/telemetry';
import type { Authenticator } from './authenticator.ts';
import type { Caller } from './caller.ts';
import type { IssuedTokens } from './issued-tokens.ts';
import type { Sessions } from './sessions.ts';

interface LogOutParts {
  authenticator: Authenticator;
  issuedTokens: IssuedTokens;
  keptTokens: KeptTokens;
  openstack: Openstack;
  sessions: Sessions;
}

interface LogOut {
  caller: Caller;
  /** The token that the request carried. */
  token: string;
  call: CallContext;
  logger: Logger;
}

/**
 * Revokes the token and all others that the gateway has issued in its session, except those that a job
 * without a delegation uses: the workers revoke these once their jobs have ended. Ends the session, so that
 * none of its tokens is accepted any more, even those issued elsewhere. Removes the user from the token
 * caches.
 * @throws if the identity service cannot revoke the caller's token, or if the session of a token that lives
 * on cannot be ended; nothing has changed then.
 */
export async function logOut(parts: LogOutParts, { call, caller, logger, token }: LogOut): Promise<void> {
  const { identity, sessionId } = caller;
  const isPostponed = sessionId !== '' && (await postpone(parts, token));
  if (!isPostponed) await revoke(parts, token, call);
  try {
    if (sessionId !== '') {
      await parts.sessions.end(sessionId);
      await revokeOthers();
    }
  } catch (error) {
    if (isPostponed) {
      throw storeUnavailable('The session could not be ended. Please try again.', {
        cause: error,
        retryAfterSeconds: 5,
      });
    }
    logger.warn('Failed to end the session of a log-out', { error });
  }
  // Without the store, cached tokens expire in other processes after `session.token_cache_seconds`.
  await parts.authenticator
    .invalidateUsers([identity.userId])
    .catch((error: unknown) => logger.warn('Failed to remove the cached tokens of a user', { error }));

  async function revokeOthers(): Promise<void> {
    const issued = await parts.issuedTokens.of(sessionId);
    const others = issued.filter((other) => other !== token);
    const revoked = await Promise.allSettled(
      others.map(async (other) => {
        if (!(await postpone(parts, other))) await revoke(parts, other, call);
      }),
    );
    for (const result of revoked) {
      if (result.status === 'rejected')
        logger.warn('Failed to revoke a token of an ended session', { error: result.reason });
    }
    await parts.issuedTokens.remove(sessionId);
  }
}

/** Whether a job uses the token, which is then revoked later. Without the store no job runs. */
async function postpone({ keptTokens }: LogOutParts, token: string): Promise<boolean> {
  return keptTokens.postpone(token).catch(() => false);
}

/** A token that is no longer valid counts as revoked. */
async function revoke({ openstack }: LogOutParts, token: string, call: CallContext): Promise<void> {
  try {
    await openstack.identity.revoke(token, call);
  } catch (error) {
    if (!(error instanceof GatewayError && error.status === 401)) throw error;
  }
}
