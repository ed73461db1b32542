import {
  type AdminContainer,
  allContainerList,
  presentAdminInstance,
  presentAdminVolume,
} from '@gateway/views';
import type { PageQuery } from '../../http/schemas/page.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { requireInCatalog } from '../../resources/require-in-catalog.ts';
import { readServicePage } from '../../resources/service-page.ts';
import type { AllInstancesQuery } from './schemas.ts';

export function listAllInstances({ openstack, query }: RequestContext<unknown, AllInstancesQuery>) {
  const { project_id, ...page } = query;
  return readServicePage(
    page,
    (wanted) => openstack.compute.servers.listPage({ all_tenants: 1, project_id, ...wanted }),
    presentAdminInstance,
  );
}

export function listAllVolumes({ openstack, query }: RequestContext<unknown, PageQuery>) {
  return readServicePage(
    query,
    (wanted) => openstack.blockStorage.volumes.listPage({ all_tenants: 1, ...wanted }),
    presentAdminVolume,
  );
}

export async function listAllContainers(request: RequestContext): Promise<AdminContainer[]> {
  requireInCatalog(request, 'container');
  return allContainerList.load(sourcesOf(request));
}
