import type { Identity, ProjectRecord, UserRecord } from '@gateway/openstack';
import type { Profile } from './profile-shape.ts';
import type { Project } from './project-shape.ts';

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
