import type { AdminScope, IdentityConfig } from '@gateway/platform';
import { type DomainReference, domainReference } from './credentials/domain-reference.ts';
import type { Identity } from './credentials/identity.ts';

/** Identity services create ids of this form. A name of this form must not pass for an id. */
const PROJECT_ID = /^[0-9a-f]{32}$/;

export type AdminConfig = Pick<IdentityConfig, 'adminRole' | 'adminScope'>;

/** Whether the identity has the administrator's role in a project in which the role counts. */
export function isAdministrator(identity: Identity, { adminRole, adminScope }: AdminConfig): boolean {
  return identity.roles.includes(adminRole) && isInScope(identity, adminScope);
}

/**
 * Whether the services show the identity what belongs to other projects, although the administrator's role
 * does not count in its project.
 */
export function isOnlyNamedAdministrator(identity: Identity, config: AdminConfig): boolean {
  const { actingForProjectId, roles } = identity;
  const isNamed = actingForProjectId === undefined && roles.includes(config.adminRole);
  return isNamed && !isAdministrator(identity, config);
}

function isInScope(identity: Identity, { adminProject, domains, projects }: AdminScope): boolean {
  if (!adminProject && domains.length === 0 && projects.length === 0) return true;
  return (
    (adminProject && identity.isAdminProject === true) ||
    domains.some((domain) => isOfDomain(identity, domainReference(domain))) ||
    projects.some(({ domain, project }) =>
      PROJECT_ID.test(project)
        ? project === identity.projectId
        : project === identity.projectName && isOfDomain(identity, domainReference(domain)),
    )
  );
}

function isOfDomain({ projectDomainId, projectDomainName }: Identity, domain: DomainReference): boolean {
  return 'id' in domain ? domain.id === projectDomainId : domain.name === projectDomainName;
}
