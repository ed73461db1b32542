import type { ServiceClient } from '../service.ts';
import { ApplicationCredentials } from './application-credentials.ts';
import { Catalog } from './catalog.ts';
import { CredentialRules } from './credential-rules.ts';
import { Domains } from './domains.ts';
import { Groups } from './groups.ts';
import { Projects } from './projects.ts';
import { Roles } from './roles.ts';
import { Trusts } from './trusts.ts';
import { Users } from './users.ts';

export * from './application-credentials.ts';
export * from './catalog.ts';
export * from './domains.ts';
export * from './groups.ts';
export * from './projects.ts';
export * from './roles.ts';
export { refuseAccessRules } from './token-response.ts';
export * from './tokens.ts';
export * from './trusts.ts';
export * from './users.ts';
export * from './web-sign-on.ts';

export class IdentityClient {
  readonly projects: Projects;
  readonly domains: Domains;
  readonly users: Users;
  readonly groups: Groups;
  readonly roles: Roles;
  readonly trusts: Trusts;
  readonly catalog: Catalog;
  readonly applicationCredentials: ApplicationCredentials;
  readonly accessRules: CredentialRules;

  constructor(identity: ServiceClient) {
    this.projects = new Projects(identity);
    this.domains = new Domains(identity);
    this.users = new Users(identity, this.domains);
    this.groups = new Groups(identity, this.domains);
    this.roles = new Roles(identity);
    this.trusts = new Trusts(identity);
    this.catalog = new Catalog(identity);
    this.applicationCredentials = new ApplicationCredentials(identity);
    this.accessRules = new CredentialRules(identity);
  }
}
