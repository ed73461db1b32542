import { listOf } from '@gateway/core/shapes';
import { resourceMessageShape } from '@gateway/jobs/shapes';
import { clusterTemplateList } from '@gateway/resources';
import { clusterTemplateShape, managedClusterShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { FOLLOWED } from '../../http/schemas/followed.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import {
  createManagedCluster,
  createManagedClusterAsync,
  deleteManagedCluster,
  getManagedCluster,
  listClusterTemplates,
  listManagedClusters,
} from './handlers.ts';
import { createManagedClusterBody } from './schemas.ts';

const tag = { name: 'clusters', description: 'Managed clusters, where the cloud has the service' };

export const managedClusterEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/clusters',
    tag,
    summary: "The project's managed clusters",
    access: 'project',
    watched: 'cluster',
    service: 'containerInfra',
    response: listOf(managedClusterShape),
    errors: ['not_found'],
    handler: listManagedClusters,
  }),
  endpoint({
    method: 'POST',
    path: '/api/clusters',
    tag,
    summary: 'Create a managed cluster',
    description: 'Answers at once; the cluster is `CREATE_IN_PROGRESS` until it is `CREATE_COMPLETE`.',
    access: 'project',
    service: 'containerInfra',
    rateLimits: ['managedClusterCreate'],
    body: createManagedClusterBody,
    writes: { resource: 'cluster', as: 'created' },
    status: 201,
    response: managedClusterShape,
    example: () => ({ status: 'CREATE_IN_PROGRESS' }),
    errors: ['not_found', 'conflict', 'quota_exceeded'],
    handler: createManagedCluster,
  }),
  endpoint({
    method: 'POST',
    path: '/api/clusters/async',
    tag,
    summary: 'Create a managed cluster and follow its progress',
    description: `${FOLLOWED} A session that ends at once can make the creation fail: the service needs its token.`,
    access: 'project',
    service: 'containerInfra',
    body: createManagedClusterBody,
    response: resourceMessageShape,
    example: () => ({ message: 'The cluster is complete.', resource_type: 'cluster' }),
    produces: 'text/event-stream',
    rateLimits: ['managedClusterCreate'],
    startsJob: 'cluster.create',
    errors: ['not_found'],
    handler: createManagedClusterAsync,
  }),
  endpoint({
    method: 'GET',
    path: '/api/clusters/templates',
    tag,
    summary: 'The templates of managed clusters',
    description: "Public ones, and the project's own.",
    access: 'project',
    service: 'containerInfra',
    response: listOf(clusterTemplateShape),
    errors: ['not_found'],
    ...servesList(clusterTemplateList),
    handler: listClusterTemplates,
  }),
  endpoint({
    method: 'GET',
    path: '/api/clusters/:cluster_id',
    tag,
    summary: 'One managed cluster',
    access: 'project',
    service: 'containerInfra',
    params: pathIds('cluster_id'),
    response: managedClusterShape,
    handler: getManagedCluster,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/clusters/:cluster_id',
    tag,
    summary: 'Delete a managed cluster',
    description: 'The cluster is `DELETE_IN_PROGRESS` until it is gone.',
    access: 'project',
    service: 'containerInfra',
    params: pathIds('cluster_id'),
    writes: { resource: 'cluster', as: 'deleting' },
    status: 204,
    errors: ['conflict'],
    handler: deleteManagedCluster,
  }),
];
