import type { BoundClient, UserRecord } from '@gateway/openstack';
import { CachedList } from '../cached-list.ts';
import { type IdentitySearch, queryOf } from './identity-search.ts';
import { sortedByName } from './sorted-by-name.ts';

/** A user for administrators. */
export interface User {
  id: string;
  name: string;
  /** '' without one. */
  email: string;
  enabled: boolean;
  domain_id: string;
  default_project_id: string | null;
  /** The service does not record the time. */
  created_at: null;
}

export function presentUser(user: UserRecord): User {
  return {
    id: user.id,
    name: user.name,
    email: user.email ?? '',
    enabled: user.enabled,
    domain_id: user.domain_id,
    default_project_id: user.default_project_id || null,
    created_at: null,
  };
}

/** The users that the identity service finds, sorted by name. */
export async function findUsers(openstack: BoundClient, search: IdentitySearch): Promise<User[]> {
  return sortedByName((await openstack.identity.users.list(queryOf(search))).map(presentUser));
}

/** All users of the cloud, sorted by name. */
export const userList = new CachedList<User[]>({
  name: 'users',
  varyBy: 'nothing',
  dependsOn: ['user'],
  lifetime: 'adminSeconds',
  load: ({ openstack }) => findUsers(openstack, {}),
});
