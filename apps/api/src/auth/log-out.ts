import { GatewayError } from '@gateway/core';
import type { CallContext, Openstack } from '@gateway/openstack';
import type { Logger } from '@gateway/telemetry';
import type { Authenticator } from './authenticator.ts';
import type { Caller } from './caller.ts';
import type { IssuedTokens } from './issued-tokens.ts';
import type { Sessions } from './sessions.ts';

export interface LogOutParts {
  authenticator: Authenticator;
  issuedTokens: IssuedTokens;
  openstack: Openstack;
  sessions: Sessions;
}

export interface LogOut {
  caller: Caller;
  /** The token that the request carried. */
  token: string;
  call: CallContext;
  logger: Logger;
}

/**
 * Revokes the token and all others that the gateway has issued in its session. Ends the session, so that none of its
 * tokens is accepted any more, even those issued elsewhere. Removes the user from the token caches.
 * @throws if the identity service can not revoke the caller's token; nothing has changed then.
 */
export async function logOut(parts: LogOutParts, { call, caller, logger, token }: LogOut): Promise<void> {
  await revoke(parts, token, call);
  const { identity, sessionId } = caller;
  try {
    if (sessionId !== '') {
      await parts.sessions.end(sessionId);
      await revokeOthers();
    }
    await parts.authenticator.invalidateUsers([identity.userId]);
  } catch (error) {
    // Without the store, cached tokens still expire after `session.token_cache_seconds`.
    logger.warn('Failed to end the session of a log-out', { error });
  }

  async function revokeOthers(): Promise<void> {
    const issued = await parts.issuedTokens.of(sessionId);
    const others = issued.filter((other) => other !== token);
    const revoked = await Promise.allSettled(others.map((other) => revoke(parts, other, call)));
    for (const result of revoked) {
      if (result.status === 'rejected')
        logger.warn('Failed to revoke a token of an ended session', { error: result.reason });
    }
    await parts.issuedTokens.remove(sessionId);
  }
}

/** A token that is no longer valid counts as revoked. */
async function revoke({ openstack }: LogOutParts, token: string, call: CallContext): Promise<void> {
  try {
    await openstack.identity.revoke(token, call);
  } catch (error) {
    if (!(error instanceof GatewayError && error.status === 401)) throw error;
  }
}
