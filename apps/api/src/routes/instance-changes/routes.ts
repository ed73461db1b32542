import { instanceDetailShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { instanceTag } from '../instance-tag.ts';
import { lockInstance, unlockInstance } from './lock.ts';
import { updateInstance } from './rename.ts';
import { lockBody, updateInstanceBody } from './schemas.ts';

/** The part of the declaration that all changes share. */
const change = {
  tag: instanceTag,
  access: 'project',
  params: pathIds('instance_id'),
  writes: { resource: 'instance', as: 'updated' },
} as const;

export const instanceChangeEndpoints = [
  endpoint({
    ...change,
    method: 'PUT',
    path: '/api/instances/:instance_id',
    summary: 'Rename an instance',
    description:
      'The guest system keeps its host name. Refused with 409 while the instance is being created, and for a node of a lite cluster.',
    body: updateInstanceBody,
    response: instanceDetailShape,
    errors: ['conflict'],
    handler: updateInstance,
  }),
  endpoint({
    ...change,
    method: 'POST',
    path: '/api/instances/:instance_id/lock',
    summary: 'Protect an instance from actions and deletion',
    description: 'Until it is unlocked, only administrators can act on it, change its devices or delete it.',
    body: lockBody,
    status: 204,
    handler: lockInstance,
  }),
  endpoint({
    ...change,
    method: 'POST',
    path: '/api/instances/:instance_id/unlock',
    summary: 'End the protection of an instance',
    description: 'An instance that an administrator has locked can only be unlocked by an administrator.',
    status: 204,
    errors: ['forbidden'],
    handler: unlockInstance,
  }),
];
