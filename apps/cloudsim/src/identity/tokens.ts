import { randomBytes } from 'node:crypto';
import { notFound } from '../common/service-error.ts';
import type { IdentityCloud } from './cloud.ts';
import { rolesOn, systemRolesOf, withImplied } from './roles.ts';
import type { Federation, IdentityState, Project, Role, Token, Trust, User } from './state.ts';

interface TokenGrant {
  userId: string;
  projectId: string | null;
  isOfSystem?: boolean;
  trustId?: string;
  applicationCredentialId?: string;
  federation?: Federation;
  methods: string[];
  /**
   * The token that this token is issued from. Its expiry and its audit id are inherited; of a token of single
   * sign-on, only the expiry.
   */
  parent?: Token;
}

/**
 * Issues a token. A token issued from another token expires with it, and none outlasts the application
 * credential that it is issued for.
 */
export function issueToken(cloud: IdentityCloud, grant: TokenGrant): Token {
  const issuedMs = cloud.clock.now();
  const credential = cloud.identity.applicationCredentials.get(grant.applicationCredentialId ?? '');
  const federation = grant.federation ?? grant.parent?.federation ?? null;
  const chain = federation === null ? grant.parent?.auditIds.slice(-1) : undefined;
  const token: Token = {
    id: `gAAAAA${randomBytes(130).toString('base64url')}`,
    userId: grant.userId,
    projectId: grant.projectId,
    isOfSystem: grant.isOfSystem ?? false,
    trustId: grant.trustId ?? null,
    applicationCredentialId: grant.applicationCredentialId ?? null,
    federation,
    methods: grant.methods,
    auditIds: [randomBytes(16).toString('base64url'), ...(chain ?? [])],
    issuedMs,
    expiresMs: Math.min(
      grant.parent?.expiresMs ?? issuedMs + cloud.settings.tokenLifetimeSeconds * 1000,
      credential?.expiresAt ? Date.parse(credential.expiresAt) : Number.POSITIVE_INFINITY,
    ),
  };
  cloud.identity.tokens.set(token.id, token);
  return token;
}

/**
 * The token's roles; undefined when the token has expired, or its user, its project, or the domain of one of
 * them is deleted or disabled.
 */
export function effectiveRoles(cloud: IdentityCloud, token: Token): Role[] | undefined {
  const { identity } = cloud;
  if (token.expiresMs <= cloud.clock.now() || isRevoked(identity, token)) return undefined;
  const user = identity.users.get(token.userId);
  if (!isActive(identity, user)) return undefined;
  if (token.isOfSystem) return systemRolesOf(identity, token.userId);
  if (token.projectId === null) return [];
  const project = identity.projects.get(token.projectId);
  if (!isActive(identity, project)) return undefined;
  const roles = rolesOfGrant(cloud, token, token.projectId);
  return roles.length === 0 ? undefined : roles;
}

/** Whether a user or a project exists, and it and its domain are enabled. */
export function isActive<Item extends User | Project>(
  { domains }: IdentityState,
  item: Item | undefined,
): item is Item {
  return item?.enabled === true && domains.get(item.domainId)?.enabled === true;
}

function rolesOfGrant(cloud: IdentityCloud, token: Token, projectId: string): Role[] {
  const { identity } = cloud;
  const { userId, trustId, applicationCredentialId } = token;
  if (trustId !== null) return trustedRoles(cloud, identity.trusts.get(trustId));
  const held = rolesOn(identity, projectId, userId, token.federation ?? undefined);
  if (applicationCredentialId === null) return held;
  const permitted = identity.applicationCredentials.get(applicationCredentialId)?.roleIds ?? [];
  return withImplied(identity, permitted).filter(({ id }) => held.some((role) => role.id === id));
}

/**
 * The roles that a trust delegates; none when the trustor has lost one of them. Tokens issued through a trust
 * outlast its expiry, but not its deletion.
 */
export function trustedRoles(cloud: IdentityCloud, trust: Trust | undefined): Role[] {
  if (trust === undefined) return [];
  const trustor = cloud.identity.users.get(trust.trustorId);
  if (!trustor?.enabled) return [];
  const held = new Set(rolesOn(cloud.identity, trust.projectId, trust.trustorId).map((role) => role.id));
  return trust.roleIds.every((id) => held.has(id)) ? withImplied(cloud.identity, trust.roleIds) : [];
}

/** @throws 404 for a token that is unknown or no longer valid. */
export function validToken(cloud: IdentityCloud, id: string): Token {
  const token = cloud.identity.tokens.get(id);
  if (token === undefined && !id.startsWith('gAAAA')) throw notFound('Could not recognize Fernet token');
  if (token === undefined || effectiveRoles(cloud, token) === undefined)
    throw notFound('Failed to validate token');
  return token;
}

/** Includes tokens of trusts that the user is a party to. */
export function revokeTokensOf(cloud: IdentityCloud, user: User): void {
  const { revokedMs, tokens } = cloud.identity;
  revokedMs.set(user.id, cloud.clock.now());
  for (const token of tokens.values()) if (isRevoked(cloud.identity, token)) tokens.delete(token.id);
}

/**
 * The identity service stores times in seconds, so tokens that it issues within a second of the
 * revocation are invalid too.
 */
function isRevoked({ revokedMs, trusts }: IdentityState, { issuedMs, trustId, userId }: Token): boolean {
  const trust = trusts.get(trustId ?? '');
  const parties = trust === undefined ? [userId] : [userId, trust.trustorId, trust.trusteeId];
  return parties.some((id) => secondOf(issuedMs) <= secondOf(revokedMs.get(id) ?? -1));
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1000);
}

/**
 * Whether the token's trust is no longer valid. Services cannot distinguish that from an
 * unavailable identity service.
 */
export function isOfLostTrust(cloud: IdentityCloud, tokenId: string | undefined): boolean {
  const token = cloud.identity.tokens.get(tokenId ?? '');
  const trust = cloud.identity.trusts.get(token?.trustId ?? '');
  return trust !== undefined && trustedRoles(cloud, trust).length === 0;
}
