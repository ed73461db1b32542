import { CachedList } from '../cached-list.ts';
import { sortedByName } from './sorted-by-name.ts';

export interface Role {
  id: string;
  name: string;
  /** Null for a role that belongs to no domain. */
  domain_id: string | null;
}

/** All roles that can be assigned in projects, sorted by name. */
export const roleList = new CachedList<Role[]>({
  name: 'roles',
  varyBy: 'nothing',
  dependsOn: ['role'],
  lifetime: 'namesSeconds',
  async load({ openstack }) {
    const roles = await openstack.identity.roles.list();
    return sortedByName(roles.map(({ id, name, domain_id }) => ({ id, name, domain_id: domain_id ?? null })));
  },
});
