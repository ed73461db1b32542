import type { UserRecord } from '@gateway/openstack';
import { CachedList, type ListSources } from '../lists/cached-list.ts';
import { addNames, type Named, type NameSource, NO_NAMES, namesFrom } from '../lists/names.ts';
import { allDomainNames } from './domains.ts';
import { type IdentitySearch, queryOf } from './identity-search.ts';
import { allProjectNames } from './projects.ts';
import { sortedByName } from './sorted-by-name.ts';
import type { User } from './user-shape.ts';

export function presentUser(user: UserRecord): User {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    enabled: user.enabled,
    domain_id: user.domain_id,
    domain_name: null,
    default_project_id: user.default_project_id || null,
    default_project_name: null,
    created_at: null,
  };
}

/** Adds the names of domains and projects to users. */
export function nameUsers(sources: ListSources, users: User[]): Promise<User[]> {
  return addNames(sources, users, { domain_id: allDomainNames, default_project_id: allProjectNames });
}

/** The users that the identity service finds, sorted by name. */
export async function findUsers(sources: ListSources, search: IdentitySearch): Promise<User[]> {
  const found = await sources.openstack.identity.users.list(queryOf(search));
  return nameUsers(sources, sortedByName(found.map(presentUser)));
}

/** The names of all users of the cloud. */
export const userNameList = new CachedList<Named[]>({
  name: 'userNames',
  varyBy: 'nothing',
  dependsOn: ['user'],
  lifetime: 'namesSeconds',
  load: async ({ openstack }) =>
    (await openstack.identity.users.list()).map(({ id, name }) => ({ id, name })),
});

/** All users of the cloud, sorted by name. */
export const userList = new CachedList<User[]>({
  name: 'users',
  varyBy: 'nothing',
  dependsOn: ['user', 'project', 'domain'],
  lifetime: 'adminSeconds',
  load: (sources) => findUsers(sources, {}),
});

/** For lists that only administrators read. */
export const allUserNames = namesFrom(userNameList);

/**
 * The identity service shows users to administrators only, so other readers get no names. For lists that vary
 * at least by roles.
 */
export const visibleUserNames: NameSource = (sources, ids) =>
  sources.isAdministrator ? allUserNames(sources, ids) : NO_NAMES;
