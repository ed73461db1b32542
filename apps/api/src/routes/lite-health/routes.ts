import { listOf } from '@gateway/core/shapes';
import { liteClusterHealthShape } from '@gateway/lite/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { checkClusterHealth, getClusterHealth, listClusterHealth } from './handlers.ts';

const tag = { name: 'lite-health', description: 'Health of clusters on virtual machines' };
const service = 'lite';
const access = 'project';
const path = '/api/lite/clusters/:cluster_id/health';
const params = pathIds('cluster_id');

export const liteHealthEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/lite/clusters/health',
    tag,
    summary: "The health of the project's ACTIVE clusters",
    description: 'The latest results of the checks; UNKNOWN for a cluster without a result.',
    access,
    service,
    response: listOf(liteClusterHealthShape),
    rows: { id: 'cluster_id', filters: { name: ['cluster_name'] } },
    handler: listClusterHealth,
  }),
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'The health of a cluster',
    description:
      'The latest result of the checks; UNKNOWN without a result, and for a cluster that is not ACTIVE.',
    access,
    service,
    params,
    response: liteClusterHealthShape,
    handler: getClusterHealth,
  }),
  endpoint({
    method: 'POST',
    path: `${path}/check`,
    tag,
    summary: 'Check the health of a cluster now',
    description: 'Answers 409 for a cluster that is not ACTIVE.',
    access,
    service,
    params,
    writes: 'unseen',
    response: liteClusterHealthShape,
    rateLimits: ['liteHealthCheck'],
    errors: ['not_found', 'conflict', 'timeout'],
    handler: checkClusterHealth,
  }),
];
