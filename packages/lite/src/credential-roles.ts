import { GatewayError } from '@gateway/core';

/**
 * The user's roles that the credential of their cluster gets. A node must never have an
 * administrator's rights.
 *
 * @throws 403 if the user has no other role
 */
export function credentialRoles(roles: readonly string[], adminRole: string): string[] {
  const others = roles.filter((role) => role !== adminRole);
  if (others.length > 0) return others;
  throw new GatewayError(
    403,
    'forbidden',
    'The plugins of a cluster work with your roles in the project, without the administrator role: you have no other role.',
  );
}
