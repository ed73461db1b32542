import type { AdminScope, IdentityConfig } from '@gateway/config';
import { type DomainReference, domainReference, type Identity } from '@gateway/openstack';

/** Identity services create ids of this form. A name of this form must not pass for an id. */
const PROJECT_ID = /^[0-9a-f]{32}$/;

/** Whether the identity has the administrator's role in a project in which the role counts. */
export function isAdministrator(
  identity: Identity,
  { adminRole, adminScope }: Pick<IdentityConfig, 'adminRole' | 'adminScope'>,
): boolean {
  return identity.roles.includes(adminRole) && isInScope(identity, adminScope);
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
