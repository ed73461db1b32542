import type { DomainRecord } from '@gateway/openstack';
import { CachedList } from '../lists/cached-list.ts';
import { namesFrom } from '../lists/names.ts';
import type { Domain } from './domain-shape.ts';
import { sortedByName } from './sorted-by-name.ts';

export function presentDomain({ description, enabled, id, name }: DomainRecord): Domain {
  return { id, name, description, enabled };
}

/** All domains of the cloud, sorted by name. */
export const domainList = new CachedList<Domain[]>({
  name: 'domains',
  varyBy: 'nothing',
  dependsOn: ['domain'],
  lifetime: 'namesSeconds',
  load: async ({ openstack }) => sortedByName((await openstack.identity.domains.list()).map(presentDomain)),
});

export const allDomainNames = namesFrom(domainList);
