import type { Caller } from '../http/operation.ts';
import type { IdentityCloud } from './cloud.ts';
import { effectiveRoles } from './tokens.ts';

/** The caller that a token belongs to; undefined when the token is missing, unknown or no longer valid. */
export function authenticate(cloud: IdentityCloud, tokenId: string | undefined): Caller | undefined {
  const token = tokenId === undefined ? undefined : cloud.identity.tokens.get(tokenId);
  if (token === undefined) return undefined;
  const roles = effectiveRoles(cloud, token);
  if (roles === undefined) return undefined;
  const names = roles.map((role) => role.name);
  return {
    tokenId: token.id,
    userId: token.userId,
    userName: cloud.identity.users.get(token.userId)?.name ?? '',
    projectId: token.projectId ?? '',
    roles: names,
    isAdmin: names.includes('admin'),
  };
}
