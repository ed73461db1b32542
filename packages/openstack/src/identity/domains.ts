import { flag, key, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { IdentityCollection } from './identity-collection.ts';

/** A domain that does not say it counts as enabled: then nobody deletes it. */
const domainRecord = declareRecord('identity', 'domain', {
  id: key(),
  name: text(),
  description: text(),
  enabled: flag(true),
});

export type DomainRecord = RecordOf<typeof domainRecord>;

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
    super(identity, 'domains', 'domain', domainRecord);
  }
}
