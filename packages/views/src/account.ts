import { toTimestamp } from '@gateway/core';
import type { Identity, ProjectRecord, UserRecord } from '@gateway/openstack';

export interface IssuedToken {
  token: string;
  project_id: string;
  project_name: string;
  user_id: string;
  username: string;
  expires_at: string | null;
  /** Those that the user holds in the project. */
  roles: string[];
  /** Whether the roles make the user an administrator. */
  is_admin: boolean;
}

export function presentToken(identity: Identity, isAdmin: boolean): IssuedToken {
  return {
    token: identity.token,
    project_id: identity.projectId,
    project_name: identity.projectName,
    user_id: identity.userId,
    username: identity.userName,
    expires_at: toTimestamp(identity.expiresAt),
    roles: identity.roles,
    is_admin: isAdmin,
  };
}

export interface CurrentUser {
  user_id: string;
  username: string;
  project_id: string;
  project_name: string;
  roles: string[];
}

export function presentCurrentUser(identity: Identity): CurrentUser {
  return {
    user_id: identity.userId,
    username: identity.userName,
    project_id: identity.projectId,
    project_name: identity.projectName,
    roles: identity.roles,
  };
}

export interface Project {
  id: string;
  name: string;
  description: string;
  enabled: boolean;
  domain_id: string;
}

export function presentProject(project: ProjectRecord): Project {
  return {
    id: project.id,
    name: project.name,
    description: project.description ?? '',
    enabled: project.enabled,
    domain_id: project.domain_id,
  };
}

export interface Profile {
  user_id: string;
  username: string;
  email: string | null;
  domain_id: string;
  domain_name: string;
  default_project_id: string | null;
  enabled: boolean;
  /** Those that the user holds in the current project. */
  roles: string[];
}

export function presentProfile(identity: Identity, user: UserRecord): Profile {
  return {
    user_id: user.id,
    username: user.name,
    email: user.email || null,
    domain_id: user.domain_id,
    domain_name: identity.userDomainName,
    default_project_id: user.default_project_id || null,
    enabled: user.enabled,
    roles: identity.roles,
  };
}
