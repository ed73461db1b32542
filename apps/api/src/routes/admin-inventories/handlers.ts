import {
  type AdminClusterRow,
  type AdminContainer,
  addNames,
  allContainerList,
  allManagedClusterList,
  allProjectNames,
  allUserNames,
  NOBODY,
  presentAdminInstance,
  presentAdminVolume,
} from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { requireInCatalog } from '../../resources/require-in-catalog.ts';
import { readServicePage } from '../../resources/service-page.ts';
import { presentLiteClusters } from '../lite-clusters/present.ts';
import type { AllInstancesQuery, AllVolumesQuery } from './schemas.ts';

export async function listAllInstances(request: RequestContext<unknown, AllInstancesQuery>) {
  const { openstack, query } = request;
  const { limit, marker, status, ...filters } = query;
  const found = await readServicePage(
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
  await addNames(sourcesOf(request), found.items, { project_id: allProjectNames, user_id: allUserNames });
  return found;
}

export async function listAllVolumes(request: RequestContext<unknown, AllVolumesQuery>) {
  const { openstack, query } = request;
  const { limit, marker, project_id, status } = query;
  const found = await readServicePage(
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
  await addNames(sourcesOf(request), found.items, { project_id: allProjectNames });
  return found;
}

export async function listAllContainers(request: RequestContext): Promise<AdminContainer[]> {
  requireInCatalog(request, 'container');
  return allContainerList.load(sourcesOf(request));
}

export async function listAllManagedClusters(request: RequestContext): Promise<AdminClusterRow[]> {
  requireInCatalog(request, 'containerInfra');
  return allManagedClusterList.load(sourcesOf(request));
}

export async function listAllLiteClusters(request: RequestContext) {
  const clusters = await request.app.liteClusters.readOpen();
  const shown = await presentLiteClusters(request, clusters, NOBODY, 'cloud');
  const projects = new Map(clusters.map(({ id, projectId }) => [id, projectId]));
  const rows = shown.map((row) => ({
    ...row,
    project_id: projects.get(row.id) ?? '',
    project_name: null as string | null,
  }));
  return addNames(sourcesOf(request), rows, { project_id: allProjectNames });
}
