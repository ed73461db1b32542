import type { FlavorAccessRecord, FlavorRecord } from '@gateway/openstack';
import type { Flavor } from './flavor-shape.ts';
import { presentFlavor } from './flavors.ts';

/** A flavor for administrators. */
export interface AdminFlavor extends Flavor {
  description: string;
}

/** A project that may use a private flavor. */
export interface FlavorAccess {
  flavor_id: string;
  project_id: string;
  /** '' for a project that no longer exists, and if the identity service is unavailable. */
  project_name: string;
}

export function presentAdminFlavor(flavor: FlavorRecord): AdminFlavor {
  return { ...presentFlavor(flavor), description: flavor.description ?? '' };
}

export function presentFlavorAccess(
  { flavor_id, tenant_id }: FlavorAccessRecord,
  projectNames: ReadonlyMap<string, string>,
): FlavorAccess {
  return { flavor_id, project_id: tenant_id, project_name: projectNames.get(tenant_id) ?? '' };
}
