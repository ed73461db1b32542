import type { ServiceClient } from '../service.ts';
import { IdentityCollection } from './identity-collection.ts';

export interface DomainRecord {
  id: string;
  name: string;
  description: string;
  enabled: boolean;
}

export class Domains extends IdentityCollection<
  DomainRecord,
  { name: string },
  { name?: string },
  { name?: string }
> {
  constructor(identity: ServiceClient) {
    super(identity, 'domains', 'domain');
  }
}
