import type { IdentityConfig } from '@gateway/config';
import { storeUnavailable } from '@gateway/core';
import type { Identity } from '@gateway/openstack';

/** An authenticated caller with access to the project that the request names. */
export interface Caller {
  identity: Identity;
  isAdmin: boolean;
  /** The session of the log-in that the token came from; '' while the store is unavailable. */
  sessionId: string;
}

/** Whether all roles of the identity in its project only read. */
export function isReader({ roles }: Identity, { readerRoles }: Pick<IdentityConfig, 'readerRoles'>): boolean {
  return roles.every((role) => readerRoles.includes(role));
}

/** Whether the identity has the configured role in its project. */
export function isAdministrator(
  { roles }: Identity,
  { adminRole }: Pick<IdentityConfig, 'adminRole'>,
): boolean {
  return roles.includes(adminRole);
}

/** The id of the caller's session. @throws 503 while the store is unavailable, when callers have none */
export function requireSession({ sessionId }: Caller): string {
  if (sessionId !== '') return sessionId;
  throw storeUnavailable('Sessions are not available right now.', { retryAfterSeconds: 5 });
}
