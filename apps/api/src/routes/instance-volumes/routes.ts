import { listOf } from '@gateway/core/shapes';
import { attachedVolumeShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { instanceTag } from '../instance-tag.ts';
import { attachVolume, detachVolume, listAttachedVolumes } from './handlers.ts';
import { attachVolumeBody } from './schemas.ts';

export const instanceVolumeEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/instances/:instance_id/volumes',
    tag: instanceTag,
    summary: 'The volumes of an instance',
    access: 'project',
    params: pathIds('instance_id'),
    response: listOf(attachedVolumeShape),
    handler: listAttachedVolumes,
  }),
  endpoint({
    method: 'POST',
    path: '/api/instances/:instance_id/volumes',
    tag: instanceTag,
    summary: 'Attach a volume to an instance',
    description: 'The volume stays when the instance is deleted. Its status becomes `in-use` after a moment.',
    access: 'project',
    params: pathIds('instance_id'),
    body: attachVolumeBody,
    status: 201,
    response: attachedVolumeShape,
    writes: [
      { resource: 'instance', as: 'updated' },
      { resource: 'volume', as: 'updated', id: ({ id }) => id },
    ],
    errors: ['conflict', 'quota_exceeded'],
    handler: attachVolume,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/instances/:instance_id/volumes/:volume_id',
    tag: instanceTag,
    summary: 'Detach a volume from an instance',
    description:
      'Its status becomes `available` after a moment. The boot volume and the upper volume of an instance with libraries cannot be detached.',
    access: 'project',
    params: pathIds('instance_id', 'volume_id'),
    status: 204,
    writes: { resource: 'instance', as: 'updated', touches: ['volume'] },
    errors: ['conflict'],
    handler: detachVolume,
  }),
];
