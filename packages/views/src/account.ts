import { toTimestamp } from '@gateway/core';
import type { Identity, ProjectRecord, UserRecord } from '@gateway/openstack';

export function presentToken(identity: Identity, isAdmin: boolean) {
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

export function presentCurrentUser(identity: Identity) {
  return {
    user_id: identity.userId,
    username: identity.userName,
    project_id: identity.projectId,
    project_name: identity.projectName,
    roles: identity.roles,
  };
}

export function presentProject(project: ProjectRecord) {
  return {
    id: project.id,
    name: project.name,
    description: project.description ?? '',
    enabled: project.enabled,
    domain_id: project.domain_id,
  };
}

export function presentProfile(identity: Identity, user: UserRecord) {
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
