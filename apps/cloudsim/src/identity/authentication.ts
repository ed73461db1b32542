import type { Cloud } from '../cloud.ts';
import type { Caller } from '../http/operation.ts';
import { effectiveRoles } from './tokens.ts';

/** Who a token stands for; undefined when it is missing, unknown or not good any more. */
export function callerOf(cloud: Cloud, tokenId: string | undefined): Caller | undefined {
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
