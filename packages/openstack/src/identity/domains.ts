import type { ServiceClient } from '../service.ts';
import { IdentityCollection } from './identity-collection.ts';

export interface DomainRecord {
  id: string;
  name: string;
  description: string;
  enabled: boolean;
}

interface DomainCreate {
  name: string;
  description?: string;
  enabled?: boolean;
}

/**
 * The removal deletes the domain's projects, users and groups as well. Throws a 403 for an enabled domain.
 */
export class Domains extends IdentityCollection<
  DomainRecord,
  DomainCreate,
  Partial<DomainCreate>,
  { name?: string }
> {
  constructor(identity: ServiceClient) {
    super(identity, 'domains', 'domain');
  }
}
