import { key, listOf, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

export const securityServiceTypes = ['active_directory', 'kerberos', 'ldap'] as const;
type SecurityServiceType = (typeof securityServiceTypes)[number];

/** Without the password, which the service sends to all who may read the record. */
const securityServiceRecord = declareRecord('sharedFileSystem', 'security_service', {
  id: key(),
  name: text(),
  description: text(),
  project_id: text(),
  type: text('unknown'),
  dns_ip: text(),
  server: text(),
  domain: text(),
  ou: text(),
  user: text(),
  /** The ids of those that use it: only in lists. */
  share_networks: listOf(key()),
  created_at: text(),
});

export type SecurityServiceRecord = RecordOf<typeof securityServiceRecord>;

export interface SecurityServiceCreate {
  name: string;
  type: SecurityServiceType;
  description?: string;
  dns_ip?: string;
  server?: string;
  domain?: string;
  ou?: string;
  user?: string;
  password?: string;
}

/** The directories that storage systems ask who a user is: LDAP, Kerberos, Active Directory. */
export class SecurityServices {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  /** By default those of the project; administrators may ask for another project. */
  list(query?: { all_tenants: 1; project_id: string }): Promise<SecurityServiceRecord[]> {
    const url = '/security-services/detail';
    return this.#sharedFileSystem.list(
      'securityServices.list',
      url,
      'security_services',
      securityServiceRecord,
      query,
    );
  }

  create(security_service: SecurityServiceCreate): Promise<SecurityServiceRecord> {
    return this.#sharedFileSystem.postRecord(
      'securityServices.create',
      '/security-services',
      'security_service',
      securityServiceRecord,
      { security_service },
    );
  }

  /** The service refuses it with 403 while share networks use it. */
  remove(id: string): Promise<void> {
    return this.#sharedFileSystem.remove('securityServices.remove', path`/security-services/${id}`);
  }
}
