import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';
import { DomainMembers } from './domain-members.ts';
import type { Domains } from './domains.ts';
import type { NameSearch } from './identity-collection.ts';
import type { UserRecord } from './users.ts';

export interface GroupRecord {
  id: string;
  name: string;
  domain_id: string;
  description?: string | null;
}

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
    super(identity, domains, 'groups', 'group');
  }

  listUsers(id: string): Promise<UserRecord[]> {
    return this.service.list('groups.listUsers', `${this.pathOf(id)}/users`, 'users');
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
