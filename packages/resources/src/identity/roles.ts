import { CachedList } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import { allDomainNames } from './domains.ts';
import type { Role } from './role-shape.ts';
import { sortedByName } from './sorted-by-name.ts';

/** All roles that can be assigned in projects, sorted by name. */
export const roleList = new CachedList<Role[]>({
  name: 'roles',
  varyBy: 'nothing',
  dependsOn: ['role', 'domain'],
  lifetime: 'namesSeconds',
  async load(sources) {
    const roles = await sources.openstack.identity.roles.list();
    const rows = roles.map(({ id, name, domain_id }): Role => {
      return { id, name, domain_id, domain_name: null };
    });
    return addNames(sources, sortedByName(rows), { domain_id: allDomainNames });
  },
});
