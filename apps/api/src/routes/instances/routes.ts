import { listOf } from '@gateway/core/shapes';
import { instanceMessageShape } from '@gateway/jobs/shapes';
import { instanceList } from '@gateway/resources';
import { instanceDetailShape, instanceOwnerShape, instanceShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { instanceTag } from '../instance-tag.ts';
import {
  createInstance,
  createInstanceAsync,
  deleteInstance,
  getInstance,
  getInstanceOwner,
} from './handlers.ts';
import { createInstanceBody } from './schemas.ts';

export const instanceEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/instances',
    tag: instanceTag,
    summary: "The project's instances",
    access: 'project',
    watched: 'instance',
    response: listOf(instanceShape),
    rows: {
      filters: {
        key_name: ['key_name'],
        ip_address: ['ip_addresses.addr'],
        network_name: ['ip_addresses.network_name'],
        file_storage_id: ['overlay_share_ids'],
      },
    },
    ...servesList(instanceList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/instances',
    tag: instanceTag,
    summary: 'Create an instance and wait for it',
    description:
      'If the creation exceeds the time limit, responds with 504 and the job id; the job continues.',
    access: 'project',
    body: createInstanceBody,
    status: 201,
    response: instanceDetailShape,
    rateLimits: ['instanceCreate'],
    startsJob: 'instance.create',
    errors: [
      'network_required',
      'token_expired',
      'delegation_lost',
      'not_found',
      'conflict',
      'quota_exceeded',
      'no_valid_host',
      'share_access_conflict',
      'cancelled',
      'instance_failed',
      'service_user_missing',
      'timeout',
    ],
    handler: createInstance,
  }),
  endpoint({
    method: 'POST',
    path: '/api/instances/async',
    tag: instanceTag,
    summary: 'Create an instance and follow its progress',
    description:
      'Answers a stream of events. Leaving it does not stop the creation: `X-Job-Id` names the job, whose events can be followed again.',
    access: 'project',
    body: createInstanceBody,
    response: instanceMessageShape,
    produces: 'text/event-stream',
    rateLimits: ['instanceCreate'],
    startsJob: 'instance.create',
    errors: ['network_required', 'not_found', 'conflict', 'quota_exceeded'],
    handler: createInstanceAsync,
  }),
  endpoint({
    method: 'GET',
    path: '/api/instances/:instance_id',
    tag: instanceTag,
    summary: 'One instance',
    access: 'project',
    params: pathIds('instance_id'),
    response: instanceDetailShape,
    handler: getInstance,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/instances/:instance_id',
    tag: instanceTag,
    summary: 'Delete an instance with what belongs to it',
    description:
      'Its boot and upper volume, its own share, its access rules and its floating IPs go with it. Additional and new volumes and those attached later stay, and so does the boot volume of an instance that was created so. While a service that this needs is unavailable, the job waits: the response is 504 with the job id and names the service, and a repeated request joins the job.',
    access: 'project',
    params: pathIds('instance_id'),
    writes: {
      resource: 'instance',
      as: 'deleting',
      touches: ['volume', 'port', 'floating_ip', 'file_storage'],
    },
    status: 204,
    errors: ['token_expired', 'delegation_lost', 'conflict', 'cancelled', 'timeout'],
    handler: deleteInstance,
  }),
  endpoint({
    method: 'GET',
    path: '/api/instances/:instance_id/owner',
    tag: instanceTag,
    summary: 'Who created an instance, and in which project',
    access: 'project',
    params: pathIds('instance_id'),
    response: instanceOwnerShape,
    handler: getInstanceOwner,
  }),
];
