import { type DomainReference, domainReference } from '@gateway/openstack';

/** The fields of a log-in that select domains. */
export interface DomainFields {
  /** The name of the domain of user and project, where no other field selects it. */
  domain_name?: string | null;
  /** Name or id. */
  user_domain?: string | null;
  /** Name or id. */
  project_domain?: string | null;
}

interface LogInDomains {
  user: DomainReference;
  project: DomainReference;
}

/** Of a log-in that names no domain. */
export const defaultDomain = { name: 'Default' };

/** The domains of a log-in. A project that no field places is in the domain of its user. */
export function domainsOf({ domain_name, project_domain, user_domain }: DomainFields): LogInDomains {
  const both = typeof domain_name === 'string' ? { name: domain_name } : undefined;
  const user = referenceTo(user_domain) ?? both ?? defaultDomain;
  return { user, project: referenceTo(project_domain) ?? both ?? user };
}

/** The name or id of a domain. */
export function textOf(domain: DomainReference): string {
  return 'id' in domain ? domain.id : domain.name;
}

function referenceTo(text: string | null | undefined): DomainReference | undefined {
  return typeof text === 'string' ? domainReference(text) : undefined;
}
