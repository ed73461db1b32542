import { storeUnavailable } from '@gateway/core';
import type { KeptTokens } from '@gateway/jobs';
import type { CallContext, Openstack } from '@gateway/openstack';
import type { Logger } from '@gateway/platform';
import type { Authenticator } from './authenticator.ts';
import type { Caller } from './caller.ts';
import type { IssuedTokens } from './issued-tokens.ts';
import type { SessionCredentials } from './session-credentials.ts';
import type { SessionList } from './session-list.ts';
import type { Sessions } from './sessions.ts';

interface LogOutParts {
  authenticator: Authenticator;
  issuedTokens: IssuedTokens;
  keptTokens: KeptTokens;
  openstack: Openstack;
  sessions: Sessions;
  sessionList: SessionList;
  sessionCredentials: SessionCredentials;
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
  if (!isPostponed) await parts.openstack.identity.revoke(token, call);
  try {
    if (sessionId !== '') {
      await parts.sessions.end(sessionId);
      for (const error of await revokeIssued(parts, sessionId, call, token)) {
        logger.warn('Failed to revoke a token of an ended session', { error });
      }
      await forgetSession(parts, identity.userId, sessionId);
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
}

interface EndedSession {
  sessionId: string;
  userId: string;
  call: CallContext;
}

/**
 * Ends a session without a token of it: a log-out from elsewhere.
 * @throws if the identity service cannot revoke all tokens. The gateway accepts none of them any more, and a
 * repetition revokes the others.
 */
export async function endSession(
  parts: LogOutParts,
  { call, sessionId, userId }: EndedSession,
): Promise<void> {
  await parts.sessions.end(sessionId);
  await parts.sessionCredentials.remove(sessionId);
  await parts.authenticator.invalidateUsers([userId]);
  const [error] = await revokeIssued(parts, sessionId, call);
  if (error !== undefined) throw error;
  await forgetSession(parts, userId, sessionId);
}

/** Ends the listed sessions of a user whose tokens the identity service has revoked. */
export async function endRevokedSessions(parts: LogOutParts, userId: string): Promise<void> {
  const listed = await parts.sessionList.of(userId);
  await Promise.all(
    listed.map(async ({ id }) => {
      await parts.sessions.end(id);
      await forgetSession(parts, userId, id);
    }),
  );
}

/** Returns the errors of tokens that could not be revoked. */
async function revokeIssued(
  parts: LogOutParts,
  sessionId: string,
  call: CallContext,
  except?: string,
): Promise<unknown[]> {
  const issued = await parts.issuedTokens.of(sessionId);
  const results = await Promise.allSettled(
    issued
      .filter((token) => token !== except)
      .map(async (token) => {
        if (!(await postpone(parts, token))) await parts.openstack.identity.revoke(token, call);
      }),
  );
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
}

async function forgetSession(parts: LogOutParts, userId: string, sessionId: string): Promise<void> {
  await parts.issuedTokens.remove(sessionId);
  await parts.sessionCredentials.remove(sessionId);
  await parts.sessionList.remove(userId, sessionId);
}

/** Whether a job uses the token, which is then revoked later. Without the store no job runs. */
async function postpone({ keptTokens }: LogOutParts, token: string): Promise<boolean> {
  return keptTokens.postpone(token).catch(() => false);
}
