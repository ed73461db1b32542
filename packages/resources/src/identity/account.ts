import { toTimestamp } from '@gateway/core';
import type { Identity, ProjectRecord, UserRecord } from '@gateway/openstack';
import type { Profile } from './profile-shape.ts';
import type { Project } from './project-shape.ts';

/** A user in a project, each in a domain. Texts are empty for a token without a project. */
interface UserInProject {
  user_id: string;
  username: string;
  user_domain_id: string;
  user_domain_name: string;
  project_id: string;
  project_name: string;
  project_domain_id: string;
  project_domain_name: string;
}

function presentUserInProject(identity: Identity): UserInProject {
  return {
    user_id: identity.userId,
    username: identity.userName,
    user_domain_id: identity.userDomainId,
    user_domain_name: identity.userDomainName,
    project_id: identity.projectId,
    project_name: identity.projectName,
    project_domain_id: identity.projectDomainId,
    project_domain_name: identity.projectDomainName,
  };
}

export interface IssuedToken extends UserInProject {
  token: string;
  expires_at: string | null;
  /** Those that the user holds in the project. */
  roles: string[];
  /** Whether the roles make the user an administrator in the project. */
  is_admin: boolean;
}

export function presentToken(identity: Identity, isAdmin: boolean): IssuedToken {
  return {
    token: identity.token,
    ...presentUserInProject(identity),
    expires_at: toTimestamp(identity.expiresAt),
    roles: identity.roles,
    is_admin: isAdmin,
  };
}

export interface CurrentUser extends UserInProject {
  roles: string[];
  /** What the user may do in the project, by the rules of the gateway. */
  can: string[];
}

export function presentCurrentUser(identity: Identity, can: readonly string[]): CurrentUser {
  return { ...presentUserInProject(identity), roles: identity.roles, can: [...can] };
}

export function presentProject(project: ProjectRecord, domainNames: ReadonlyMap<string, string>): Project {
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    enabled: project.enabled,
    domain_id: project.domain_id,
    domain_name: domainNames.get(project.domain_id) ?? '',
  };
}

export function presentProfile(identity: Identity, user: UserRecord): Profile {
  return {
    user_id: user.id,
    username: user.name,
    email: user.email || null,
    domain_id: user.domain_id,
    domain_name: identity.userDomainName,
    default_project_id: user.default_project_id || null,
    default_project_name: user.default_project_id === identity.projectId ? identity.projectName : null,
    enabled: user.enabled,
    roles: identity.roles,
  };
}
