import {
  type AdminContainer,
  allContainerList,
  presentAdminInstance,
  presentAdminVolume,
} from '@gateway/views';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { requireInCatalog } from '../../resources/require-in-catalog.ts';
import { readServicePage } from '../../resources/service-page.ts';
import type { AllInstancesQuery, AllVolumesQuery } from './schemas.ts';

export function listAllInstances({ openstack, query }: RequestContext<unknown, AllInstancesQuery>) {
  const { limit, marker, status, ...filters } = query;
  return readServicePage(
    { limit, marker },
    (wanted) =>
      openstack.compute.servers.listPage({
        all_tenants: 1,
        ...filters,
        status: status?.toUpperCase(),
        ...wanted,
      }),
    presentAdminInstance,
  );
}

export function listAllVolumes({ openstack, query }: RequestContext<unknown, AllVolumesQuery>) {
  const { limit, marker, project_id, status } = query;
  return readServicePage(
    { limit, marker },
    (wanted) =>
      openstack.blockStorage.volumes.listPage({
        all_tenants: 1,
        project_id,
        status: status?.toLowerCase(),
        ...wanted,
      }),
    presentAdminVolume,
  );
}

export async function listAllContainers(request: RequestContext): Promise<AdminContainer[]> {
  requireInCatalog(request, 'container');
  return allContainerList.load(sourcesOf(request));
}
