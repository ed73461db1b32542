import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { instanceTag } from '../instance-tag.ts';
import {
  actionShape,
  rebootInstance,
  shelveInstance,
  startInstance,
  stopInstance,
  unshelveInstance,
} from './handlers.ts';
import { rebootBody } from './schemas.ts';

/** The part of the declaration that all actions share. */
const action = {
  method: 'POST',
  tag: instanceTag,
  access: 'project',
  params: pathIds('instance_id'),
  writes: { resource: 'instance', as: 'updated' },
  errors: ['conflict'],
} as const;

export const instanceActionEndpoints = [
  endpoint({
    ...action,
    path: '/api/instances/:instance_id/start',
    summary: 'Start a stopped instance',
    response: actionShape,
    handler: startInstance,
  }),
  endpoint({
    ...action,
    path: '/api/instances/:instance_id/stop',
    summary: 'Shut an instance down',
    response: actionShape,
    example: () => ({ status: 'stopping' }),
    handler: stopInstance,
  }),
  endpoint({
    ...action,
    path: '/api/instances/:instance_id/reboot',
    summary: 'Reboot an instance',
    description:
      'A soft reboot, in which the guest system shuts itself down. With `type` `hard`, the instance is switched off and on, also one that is stopped or failed, or whose soft reboot does not end.',
    body: rebootBody,
    response: actionShape,
    example: () => ({ status: 'rebooting' }),
    handler: rebootInstance,
  }),
  endpoint({
    ...action,
    path: '/api/instances/:instance_id/shelve',
    summary: 'Shelve an instance',
    description: 'Releases its computing resources and keeps its volumes.',
    status: 204,
    handler: shelveInstance,
  }),
  endpoint({
    ...action,
    path: '/api/instances/:instance_id/unshelve',
    summary: 'Restore a shelved instance',
    description: 'Counts its GPUs against the GPU quota of the project, as a creation does.',
    status: 204,
    errors: ['conflict', 'quota_exceeded'],
    handler: unshelveInstance,
  }),
];
