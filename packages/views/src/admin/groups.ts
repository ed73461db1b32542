import type { GroupRecord } from '@gateway/openstack';
import { CachedList } from '../cached-list.ts';
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

/** All groups of the cloud, sorted by name. */
export const groupList = new CachedList<Group[]>({
  name: 'groups',
  varyBy: 'nothing',
  dependsOn: ['group'],
  lifetime: 'namesSeconds',
  load: async ({ openstack }) => sortedByName((await openstack.identity.groups.list()).map(presentGroup)),
});
