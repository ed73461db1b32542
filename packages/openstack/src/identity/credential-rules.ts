import { key, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

const accessRuleRecord = declareRecord('identity', 'access_rule', {
  id: key(),
  service: text(),
  method: text(),
  path: text(),
});

type CredentialRuleRecord = RecordOf<typeof accessRuleRecord>;

/**
 * The access rules of a user's application credentials. Equal rules are one record, which outlives the
 * credentials. Only the user may read and delete them, and not through a delegation.
 */
export class CredentialRules {
  readonly #identity: ServiceClient;

  constructor(identity: ServiceClient) {
    this.#identity = identity;
  }

  list(userId: string): Promise<CredentialRuleRecord[]> {
    return this.#identity.list(
      'accessRules.list',
      path`/users/${userId}/access_rules`,
      'access_rules',
      accessRuleRecord,
    );
  }

  /** The service answers 403 for a rule of an existing credential. */
  remove(userId: string, id: string): Promise<void> {
    return this.#identity.remove('accessRules.remove', path`/users/${userId}/access_rules/${id}`);
  }
}
