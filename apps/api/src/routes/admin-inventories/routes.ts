import { listOf } from '@gateway/core/shapes';
import {
  allContainerList,
  allManagedClusterList,
  allPortList,
  fileStorageLists,
  floatingIpLists,
  imageLists,
  layerFileStorageList,
  networkLists,
  routerLists,
} from '@gateway/resources';
import {
  adminClusterRowShape,
  adminContainerShape,
  fileStorageShape,
  floatingIpShape,
  imageShape,
  networkShape,
  portShape,
  routerShape,
} from '@gateway/resources/shapes';

import { floatingIpRows } from '../../http/schemas/floating-ip.ts';
import { imageRows } from '../../http/schemas/image.ts';
import { liteClusterRows } from '../../http/schemas/lite-cluster.ts';
import { networkRows } from '../../http/schemas/network.ts';
import { routerRows } from '../../http/schemas/router.ts';
import { servesList, sourcesOf } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import {
  listAllContainers,
  listAllInstances,
  listAllLiteClusters,
  listAllManagedClusters,
  listAllVolumes,
} from './handlers.ts';
import {
  allInstancesQuery,
  allInstancesShape,
  allLiteClustersRow,
  allVolumesQuery,
  allVolumesShape,
} from './schemas.ts';

/** The resources of all projects. */
export const adminInventoryEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/all-instances',
    tag: adminTags.instances,
    summary: 'The instances of all projects, newest first',
    access: 'admin',
    query: allInstancesQuery,
    response: allInstancesShape,
    handler: listAllInstances,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/all-volumes',
    tag: adminTags.volumes,
    summary: 'The volumes of all projects, newest first',
    access: 'admin',
    query: allVolumesQuery,
    response: allVolumesShape,
    handler: listAllVolumes,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/all-images',
    tag: adminTags.instances,
    summary: 'The images of all projects, also hidden ones',
    access: 'admin',
    response: listOf(imageShape),
    rows: imageRows,
    ...servesList(imageLists.cloud),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/all-clusters',
    tag: adminTags.clusters,
    summary: 'The managed clusters of all projects',
    access: 'admin',
    service: 'containerInfra',
    response: listOf(adminClusterRowShape),
    errors: ['not_found'],
    ...servesList(allManagedClusterList),
    handler: listAllManagedClusters,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/all-lite-clusters',
    tag: adminTags.clusters,
    summary: 'The lite clusters of all projects, oldest first',
    description: 'Without deleted ones.',
    access: 'admin',
    service: 'lite',
    response: listOf(allLiteClustersRow),
    rows: liteClusterRows,
    handler: listAllLiteClusters,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/all-containers',
    tag: adminTags.instances,
    summary: 'The containers of all projects',
    access: 'admin',
    service: 'container',
    response: listOf(adminContainerShape),
    rows: { filters: { host: ['host'] } },
    errors: ['not_found'],
    ...servesList(allContainerList),
    handler: listAllContainers,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/all-file-storages',
    tag: adminTags.fileStorage,
    summary: 'The file storages of all projects',
    access: 'admin',
    service: 'sharedFs',
    response: listOf(fileStorageShape),
    ...servesList(fileStorageLists.cloud),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/file-storage',
    tag: adminTags.fileStorage,
    summary: 'The file storages of all projects that are layers of instances',
    description: 'Prebuilt ones, and those that instances have filled themselves.',
    access: 'admin',
    service: 'sharedFs',
    response: listOf(fileStorageShape),
    cachedList: layerFileStorageList,
    handler: (request) => layerFileStorageList.load(sourcesOf(request)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/all-networks',
    tag: adminTags.networks,
    summary: 'The networks of all projects',
    access: 'admin',
    response: listOf(networkShape),
    rows: networkRows,
    ...servesList(networkLists.cloud),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/all-floating-ips',
    tag: adminTags.networks,
    summary: 'The floating IPs of all projects',
    access: 'admin',
    response: listOf(floatingIpShape),
    rows: floatingIpRows,
    ...servesList(floatingIpLists.cloud),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/all-routers',
    tag: adminTags.networks,
    summary: 'The routers of all projects',
    access: 'admin',
    response: listOf(routerShape),
    rows: routerRows,
    ...servesList(routerLists.cloud),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/all-ports',
    tag: adminTags.networks,
    summary: 'The ports of all projects',
    access: 'admin',
    response: listOf(portShape),
    rows: {
      filters: {
        instance_id: ['device_id'],
        subnet_id: ['fixed_ips.subnet_id'],
        device_owner: ['device_owner'],
      },
    },
    ...servesList(allPortList),
  }),
];
