import { flag, key, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { DomainMembers } from './domain-members.ts';
import type { Domains } from './domains.ts';
import type { NameSearch } from './identity-collection.ts';

export const userRecord = declareRecord('identity', 'user', {
  id: key(),
  name: text(),
  domain_id: text(),
  enabled: flag(true),
  email: text(),
  description: text(),
  default_project_id: textOrNull(),
  password_expires_at: textOrNull(),
});

export type UserRecord = RecordOf<typeof userRecord>;

type UserQuery = NameSearch & { domain_id?: string; enabled?: boolean };

interface UserCreate {
  name: string;
  /** Defaults to the domain of the token's project. */
  domain_id?: string;
  email?: string;
  password?: string;
  enabled?: boolean;
}

/** Setting a password or `enabled: false` revokes the user's tokens. */
type UserUpdate = Partial<Omit<UserCreate, 'domain_id'>>;

/** Users may also read their own record. */
export class Users extends DomainMembers<UserRecord, UserCreate, UserUpdate, UserQuery> {
  constructor(identity: ServiceClient, domains: Domains) {
    super(identity, domains, 'users', 'user', userRecord);
  }

  /**
   * Throws a 401 if the current password is wrong, and a 400 with the policy's text if the new
   * password violates the policy.
   */
  changePassword(id: string, passwords: { current: string; new: string }): Promise<void> {
    return this.service.postVoid('users.changePassword', `${this.pathOf(id)}/password`, {
      user: { original_password: passwords.current, password: passwords.new },
    });
  }
}
