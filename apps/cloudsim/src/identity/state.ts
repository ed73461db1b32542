/** The options of a user that concern the log-in. The service requires second factors unless they are off. */
export interface UserOptions {
  multi_factor_auth_enabled?: boolean;
  /** Each rule lists methods that together are sufficient. Without rules, every method is. */
  multi_factor_auth_rules?: string[][];
}

/** The identity service's records. Ids are UUIDs without hyphens. */
export interface User {
  id: string;
  name: string;
  domainId: string;
  password: string;
  /** Null for a password that never expires. */
  passwordExpiresMs: number | null;
  options: UserOptions;
  email: string | null;
  description: string | null;
  enabled: boolean;
  defaultProjectId: string | null;
}

export interface Project {
  id: string;
  name: string;
  domainId: string;
  /** Absent for a project directly below its domain. */
  parentId?: string;
  description: string;
  enabled: boolean;
}

interface Named {
  id: string;
  name: string;
}

export interface Role extends Named {
  immutable: boolean;
}

export interface Domain extends Named {
  description: string;
  enabled: boolean;
}

export interface Group extends Named {
  description: string;
  domainId: string;
  userIds: Set<string>;
}

/** What an identity provider has said about the user of a token. */
export interface Federation {
  identityProvider: string;
  protocol: string;
  /** The token has the roles of these groups, although its user may not be a member. */
  groupIds: string[];
}

export interface Token {
  id: string;
  userId: string;
  projectId: string | null;
  /** The scope is the whole system. */
  isOfSystem: boolean;
  trustId: string | null;
  applicationCredentialId: string | null;
  /** Null for a user with a password. */
  federation: Federation | null;
  methods: string[];
  auditIds: string[];
  issuedMs: number;
  expiresMs: number;
}

/** Proves the methods with which a user has authenticated, until the missing ones follow. */
export interface Receipt {
  id: string;
  userId: string;
  methods: string[];
  issuedMs: number;
  expiresMs: number;
}

/** A stored secret of a user, such as the key of their passcodes (`totp`). */
export interface Credential {
  id: string;
  userId: string;
  projectId: string | null;
  type: string;
  blob: string;
}

export interface Trust {
  id: string;
  trustorId: string;
  trusteeId: string;
  projectId: string;
  impersonation: boolean;
  roleIds: string[];
  expiresMs: number | null;
}

/** A request that a credential permits. */
export interface AccessRule {
  id: string;
  service: string;
  method: string;
  path: string;
}

/** Equal rules of a user's credentials are one record, which outlives the credentials. */
export interface OwnedAccessRule extends AccessRule {
  userId: string;
}

export interface ApplicationCredential {
  id: string;
  /** Unique among the user's credentials. */
  name: string;
  userId: string;
  projectId: string;
  secret: string;
  description: string | null;
  roleIds: string[];
  expiresAt: string | null;
  unrestricted: boolean;
  /** Ids of the user's access rules; null permits all requests. */
  accessRuleIds: string[] | null;
}

export interface IdentityState {
  domains: Map<string, Domain>;
  users: Map<string, User>;
  projects: Map<string, Project>;
  roles: Map<string, Role>;
  groups: Map<string, Group>;
  /** Role ids by `<project>:<user or group>`. */
  grants: Map<string, Set<string>>;
  tokens: Map<string, Token>;
  receipts: Map<string, Receipt>;
  credentials: Map<string, Credential>;
  /**
   * The last revocation of all tokens of a user, by user id. Tokens issued up to the end of
   * that second are invalid.
   */
  revokedMs: Map<string, number>;
  trusts: Map<string, Trust>;
  applicationCredentials: Map<string, ApplicationCredential>;
  accessRules: Map<string, OwnedAccessRule>;
  /** Keys of all trusts ever created: a deleted trust also blocks an equal new trust. */
  trustKeys: Set<string>;
}

export function emptyIdentity(): IdentityState {
  return {
    domains: new Map(),
    users: new Map(),
    projects: new Map(),
    roles: new Map(),
    groups: new Map(),
    grants: new Map(),
    tokens: new Map(),
    receipts: new Map(),
    credentials: new Map(),
    revokedMs: new Map(),
    trusts: new Map(),
    applicationCredentials: new Map(),
    accessRules: new Map(),
    trustKeys: new Set(),
  };
}

export function grantKey(projectId: string, holderId: string): string {
  return `${projectId}:${holderId}`;
}
