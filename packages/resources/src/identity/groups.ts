import type { GroupRecord } from '@gateway/openstack';
import { CachedList, type ListSources } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import { allDomainNames } from './domains.ts';
import type { Group } from './group-shape.ts';
import { type IdentitySearch, queryOf } from './identity-search.ts';
import { sortedByName } from './sorted-by-name.ts';

export function presentGroup({ id, name, description, domain_id }: GroupRecord): Group {
  return { id, name, description, domain_id, domain_name: null };
}

/** The groups that the identity service finds, sorted by name. */
export async function findGroups(sources: ListSources, search: IdentitySearch): Promise<Group[]> {
  const found = await sources.openstack.identity.groups.list(queryOf(search));
  return addNames(sources, sortedByName(found.map(presentGroup)), { domain_id: allDomainNames });
}

/** All groups of the cloud, sorted by name. */
export const groupList = new CachedList<Group[]>({
  name: 'groups',
  varyBy: 'nothing',
  dependsOn: ['group', 'domain'],
  lifetime: 'namesSeconds',
  load: (sources) => findGroups(sources, {}),
});
