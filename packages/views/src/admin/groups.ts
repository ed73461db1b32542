import type { BoundClient, GroupRecord } from '@gateway/openstack';
import { CachedList } from '../cached-list.ts';
import { type IdentitySearch, queryOf } from './identity-search.ts';
import { sortedByName } from './sorted-by-name.ts';

/** A group of users. */
export interface Group {
  id: string;
  name: string;
  description: string;
  domain_id: string;
}

export function presentGroup({ id, name, description, domain_id }: GroupRecord): Group {
  return { id, name, description: description ?? '', domain_id };
}

/** The groups that the identity service finds, sorted by name. */
export async function findGroups(openstack: BoundClient, search: IdentitySearch): Promise<Group[]> {
  return sortedByName((await openstack.identity.groups.list(queryOf(search))).map(presentGroup));
}

/** All groups of the cloud, sorted by name. */
export const groupList = new CachedList<Group[]>({
  name: 'groups',
  varyBy: 'nothing',
  dependsOn: ['group'],
  lifetime: 'namesSeconds',
  load: ({ openstack }) => findGroups(openstack, {}),
});
