import type { RequestContext } from '../pipeline/request-context.ts';

/**
 * Removes what all processes have cached about the access of these users, after a write that changed it. Never throws: the
 * write has taken effect, and without the store a cached token expires after `session.token_cache_seconds`.
 */
export async function invalidateUsers(
  { app, logger }: RequestContext,
  userIds: readonly string[],
): Promise<void> {
  await app.authenticator
    .invalidateUsers(userIds)
    .catch((error: unknown) => logger.warn('Failed to remove the cached tokens of users', { error }));
}
