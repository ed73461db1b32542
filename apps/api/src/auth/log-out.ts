import { GatewayError } from '@gateway/core';
import type { Openstack } from '@gateway/openstack';
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
  /** As the caller sent it. */
  token: string;
  requestId: string;
  logger: Logger;
}

/**
 * Revokes the token at the identity service, and all others of its session that the gateway gave out; ends the session,
 * so that no token of it is accepted any more, whoever made it; and drops what is remembered of the user.
 * @throws when the identity service can not revoke the caller's token; nothing has ended then.
 */
export async function logOut(
  parts: LogOutParts,
  { caller, token, requestId, logger }: LogOut,
): Promise<void> {
  await revoke(parts, token, requestId);
  const { identity, sessionId } = caller;
  try {
    if (sessionId !== '') {
      await parts.sessions.end(sessionId);
      await revokeOthers();
    }
    await parts.authenticator.forget(identity.userId);
  } catch (error) {
    // Without the store nobody is remembered for longer than a token is believed.
    logger.warn('A log-out could not end its session', { error });
  }

  async function revokeOthers(): Promise<void> {
    const issued = await parts.issuedTokens.of(sessionId);
    const others = issued.filter((other) => other !== token);
    const revoked = await Promise.allSettled(others.map((other) => revoke(parts, other, requestId)));
    for (const result of revoked) {
      if (result.status === 'rejected')
        logger.warn('A token of a session that has ended could not be revoked', { error: result.reason });
    }
    await parts.issuedTokens.remove(sessionId);
  }
}

/** A token that is of no use any more is as good as revoked. */
async function revoke({ openstack }: LogOutParts, token: string, requestId: string): Promise<void> {
  try {
    await openstack.identity.revoke(token, { requestId });
  } catch (error) {
    if (!(error instanceof GatewayError && error.status === 401)) throw error;
  }
}
