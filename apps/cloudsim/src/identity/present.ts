import { microseconds, tokenTime } from '../common/timestamps.ts';
import { catalog } from './catalog.ts';
import type { IdentityCloud } from './cloud.ts';
import { rulesOf } from './factors.ts';
import { accessRulesOf, accessRulesWithIds } from './permitted-requests.ts';
import type {
  AccessRule,
  ApplicationCredential,
  Credential,
  Domain,
  Federation,
  Group,
  Project,
  Receipt,
  Role,
  Token,
  Trust,
  User,
} from './state.ts';
import { effectiveRoles } from './tokens.ts';

function domainRef(cloud: IdentityCloud, id: string): { id: string; name: string } {
  return { id, name: cloud.identity.domains.get(id)?.name ?? '' };
}

export function presentToken(cloud: IdentityCloud, token: Token, withCatalog: boolean): object {
  const { users, projects, trusts } = cloud.identity;
  const user = users.get(token.userId);
  const unscoped = {
    methods: token.methods,
    user: {
      domain: domainRef(cloud, user?.domainId ?? ''),
      id: token.userId,
      name: user?.name,
      ...(token.federation === null
        ? { password_expires_at: passwordExpiryOf(user) }
        : { 'OS-FEDERATION': presentFederation(token.federation) }),
    },
    audit_ids: token.auditIds,
    expires_at: tokenTime(token.expiresMs),
    issued_at: tokenTime(token.issuedMs),
  };
  const project = projects.get(token.projectId ?? '');
  if (token.isOfSystem) return { token: { ...unscoped, ...presentSystemScope(cloud, token, withCatalog) } };
  if (project === undefined) return { token: unscoped };
  const trust = trusts.get(token.trustId ?? '');
  return {
    token: {
      ...unscoped,
      ...(trust === undefined ? {} : { 'OS-TRUST:trust': presentTrustRef(trust) }),
      ...presentCredentialRef(cloud, token),
      project: { domain: domainRef(cloud, project.domainId), id: project.id, name: project.name },
      ...(trust === undefined ? { is_domain: false } : {}),
      roles: (effectiveRoles(cloud, token) ?? []).map(({ id, name }) => ({ id, name })),
      ...(withCatalog ? { catalog: catalog(cloud, project.id) } : {}),
    },
  };
}

function presentFederation({ groupIds, identityProvider, protocol }: Federation): object {
  return {
    groups: groupIds.map((id) => ({ id })),
    identity_provider: { id: identityProvider },
    protocol: { id: protocol },
  };
}

/** Services with a project in their URL have no endpoint in this catalog. */
function presentSystemScope(cloud: IdentityCloud, token: Token, withCatalog: boolean): object {
  const roles = (effectiveRoles(cloud, token) ?? []).map(({ id, name }) => ({ id, name }));
  const scope = { system: { all: true }, roles };
  return withCatalog ? { ...scope, catalog: catalog(cloud, null) } : scope;
}

function presentCredentialRef(cloud: IdentityCloud, token: Token): object {
  const credential = cloud.identity.applicationCredentials.get(token.applicationCredentialId ?? '');
  if (credential === undefined) return {};
  const { id, name, unrestricted } = credential;
  const rules = accessRulesOf(cloud, token);
  const reference = { id, name, restricted: !unrestricted, ...(rules !== null && { access_rules: rules }) };
  return { application_credential: reference };
}

function presentTrustRef(trust: Trust): object {
  return {
    id: trust.id,
    trustor_user: { id: trust.trustorId },
    trustee_user: { id: trust.trusteeId },
    impersonation: trust.impersonation,
  };
}

/** With the methods of each rule that the user has begun to meet. */
export function presentReceipt(cloud: IdentityCloud, receipt: Receipt): object {
  const user = cloud.identity.users.get(receipt.userId);
  return {
    receipt: {
      methods: receipt.methods,
      user: { id: receipt.userId, name: user?.name, domain: domainRef(cloud, user?.domainId ?? '') },
      expires_at: tokenTime(receipt.expiresMs),
      issued_at: tokenTime(receipt.issuedMs),
    },
    required_auth_methods: rulesOf(user).filter((rule) =>
      rule.some((method) => receipt.methods.includes(method)),
    ),
  };
}

export function presentCredential({ id, userId, projectId, type, blob }: Credential, base: string): object {
  const links = { self: `${base}/credentials/${id}` };
  return { id, user_id: userId, project_id: projectId, type, blob, links };
}

function passwordExpiryOf(user: User | undefined): string | null {
  const expiresMs = user?.passwordExpiresMs ?? null;
  return expiresMs === null ? null : microseconds(expiresMs);
}

export function presentUser(user: User, base: string): object {
  return {
    ...(user.email === null ? {} : { email: user.email }),
    ...(user.description === null ? {} : { description: user.description }),
    id: user.id,
    name: user.name,
    domain_id: user.domainId,
    enabled: user.enabled,
    ...(user.defaultProjectId === null ? {} : { default_project_id: user.defaultProjectId }),
    password_expires_at: passwordExpiryOf(user),
    options: user.options,
    links: { self: `${base}/users/${user.id}` },
  };
}

export function presentProject(project: Project, base: string): object {
  return {
    id: project.id,
    name: project.name,
    domain_id: project.domainId,
    description: project.description,
    enabled: project.enabled,
    parent_id: project.parentId ?? project.domainId,
    is_domain: false,
    tags: [],
    options: {},
    links: { self: `${base}/projects/${project.id}` },
  };
}

/** A domain under the id of a project: the service keeps domains as projects. */
export function presentActingDomain(domain: Domain, base: string): object {
  return {
    ...presentDomain(domain, base),
    domain_id: null,
    parent_id: null,
    is_domain: true,
    links: { self: `${base}/projects/${domain.id}` },
  };
}

export function presentRole(role: Role, base: string): object {
  return {
    id: role.id,
    name: role.name,
    domain_id: null,
    description: null,
    options: role.immutable ? { immutable: true } : {},
    links: { self: `${base}/roles/${role.id}` },
  };
}

export function presentDomain(domain: Domain, base: string): object {
  const { description, enabled, id, name } = domain;
  return {
    id,
    name,
    description,
    enabled,
    tags: [],
    options: {},
    links: { self: `${base}/domains/${id}` },
  };
}

export function presentGroup(group: Group, base: string): object {
  return {
    id: group.id,
    name: group.name,
    domain_id: group.domainId,
    description: group.description,
    links: { self: `${base}/groups/${group.id}` },
  };
}

export function presentTrust(trust: Trust, roles: object[] | undefined, base: string): object {
  return {
    ...(roles === undefined ? {} : { roles }),
    id: trust.id,
    trustor_user_id: trust.trustorId,
    trustee_user_id: trust.trusteeId,
    project_id: trust.projectId,
    impersonation: trust.impersonation,
    expires_at: trust.expiresMs === null ? null : tokenTime(trust.expiresMs),
    remaining_uses: null,
    deleted_at: null,
    redelegated_trust_id: null,
    redelegation_count: 0,
    links: { self: `${base}/OS-TRUST/trusts/${trust.id}` },
  };
}

/** Without the secret, which only the response to the create request contains. */
export function presentApplicationCredential(
  { identity }: IdentityCloud,
  credential: ApplicationCredential,
  base: string,
): object {
  const { id, userId, accessRuleIds } = credential;
  return {
    id,
    name: credential.name,
    description: credential.description,
    user_id: userId,
    project_id: credential.projectId,
    system: null,
    expires_at: credential.expiresAt,
    unrestricted: credential.unrestricted || null,
    roles: credential.roleIds.flatMap((roleId) => {
      const role = identity.roles.get(roleId);
      if (role === undefined) return [];
      const options = role.immutable ? { immutable: true } : {};
      return { id: role.id, name: role.name, domain_id: null, description: null, options };
    }),
    ...(accessRuleIds !== null && { access_rules: accessRulesWithIds(identity, accessRuleIds) }),
    links: { self: `${base}/application_credentials/${id}` },
  };
}

export function presentAccessRule({ id, service, path, method }: AccessRule, base: string): object {
  return { id, service, path, method, links: { self: `${base}/access_rules/${id}` } };
}
