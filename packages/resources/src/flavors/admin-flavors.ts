import type { FlavorAccessRecord, FlavorRecord } from '@gateway/openstack';
import type { AdminFlavor, FlavorAccess } from './admin-flavor-shape.ts';
import { presentFlavor } from './flavors.ts';

export function presentAdminFlavor(flavor: FlavorRecord): AdminFlavor {
  return { ...presentFlavor(flavor), description: flavor.description ?? '' };
}

export function presentFlavorAccess(
  { flavor_id, tenant_id }: FlavorAccessRecord,
  projectNames: ReadonlyMap<string, string>,
): FlavorAccess {
  return { flavor_id, project_id: tenant_id, project_name: projectNames.get(tenant_id) ?? '' };
}
