import { key, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';
import { DomainMembers } from './domain-members.ts';
import type { Domains } from './domains.ts';
import type { NameSearch } from './identity-collection.ts';
import { type UserRecord, userRecord } from './users.ts';

const groupRecord = declareRecord('identity', 'group', {
  id: key(),
  name: text(),
  domain_id: text(),
  description: text(),
});

export type GroupRecord = RecordOf<typeof groupRecord>;

interface GroupCreate {
  name: string;
  description?: string;
  /** Defaults to the domain of the token's project. */
  domain_id?: string;
}

type GroupQuery = NameSearch & { domain_id?: string };

export class Groups extends DomainMembers<
  GroupRecord,
  GroupCreate,
  Partial<Omit<GroupCreate, 'domain_id'>>,
  GroupQuery
> {
  constructor(identity: ServiceClient, domains: Domains) {
    super(identity, domains, 'groups', 'group', groupRecord);
  }

  listUsers(id: string): Promise<UserRecord[]> {
    return this.service.list('groups.listUsers', `${this.pathOf(id)}/users`, 'users', userRecord);
  }

  /** Has no effect for an existing member. */
  addUser(id: string, userId: string): Promise<void> {
    return this.service.requestVoid('PUT', 'groups.addUser', this.pathOf(id) + path`/users/${userId}`, {
      idempotent: true,
    });
  }

  /** Throws a 404 if the user is not a member. */
  removeUser(id: string, userId: string): Promise<void> {
    return this.service.remove('groups.removeUser', this.pathOf(id) + path`/users/${userId}`);
  }
}
