import { sleep } from '@gateway/core';
import { REVOCATION_PAUSE_MS } from '@gateway/openstack';
import { endRevokedSessions } from '../auth/log-out.ts';
import type { RequestContext } from '../pipeline/request-context.ts';

type Request = Pick<RequestContext, 'app' | 'logger'>;

/**
 * Removes what all processes have cached about the access of these users, after a write that changed it.
 * Never throws: the write has taken effect, and without the store a cached token expires after
 * `session.token_cache_seconds`.
 */
export async function invalidateUsers({ app, logger }: Request, userIds: readonly string[]): Promise<void> {
  await app.authenticator
    .invalidateUsers(userIds)
    .catch((error: unknown) => logger.warn('Failed to remove the cached tokens of users', { error }));
}

/**
 * The same after a write with which the identity service revokes all tokens of the user: a new password, or
 * the end of the account. Ends the user's sessions here, because the service may accept revoked tokens from a
 * cache of its own for some time.
 */
export async function forgetTokensOf(request: Request, userId: string): Promise<void> {
  const { app, logger } = request;
  await endRevokedSessions(app, userId).catch((error: unknown) =>
    logger.warn('Failed to end the sessions of a user', { error }),
  );
  await invalidateUsers(request, [userId]);
}

/**
 * The same after a new password. Returns once tokens of a log-in with it live, so that a client that logs in
 * after the response gets no token that is revoked already.
 */
export async function forgetOldPassword(request: Request, userId: string): Promise<void> {
  await forgetTokensOf(request, userId);
  await sleep(REVOCATION_PAUSE_MS);
}

/**
 * Runs a write that changes the access of these users. An error invalidates them too: the write may have had
 * an effect.
 */
export async function changingAccessOf<T>(
  request: Request,
  userIds: readonly string[],
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } finally {
    await invalidateUsers(request, userIds);
  }
}
