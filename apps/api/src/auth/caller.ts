import type { IdentityConfig } from '@gateway/config';
import type { Identity } from '@gateway/openstack';

/** A request's sender, known and let in to the project the request names. */
export interface Caller {
  identity: Identity;
  isAdmin: boolean;
  /** Of the login the token came from. */
  sessionId: string;
}

/** True for whoever has the configured role in the project of the identity. */
export function isAdministrator(
  { roles }: Identity,
  { adminRole }: Pick<IdentityConfig, 'adminRole'>,
): boolean {
  return roles.includes(adminRole);
}
