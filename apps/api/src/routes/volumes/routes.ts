import { listOf } from '@gateway/core/shapes';
import { resourceMessageShape } from '@gateway/jobs/shapes';
import { volumeList } from '@gateway/resources';
import { volumeShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { FOLLOWED } from '../../http/schemas/followed.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import {
  extendedVolumeShape,
  extendVolumeBody,
  retypedVolumeShape,
  retypeVolumeBody,
  updateVolumeBody,
} from './change-schemas.ts';
import { extendOwnVolume, retypeOwnVolume, updateVolume } from './changes.ts';
import { createVolume, createVolumeAsync, deleteVolume, forceDeleteVolume, getVolume } from './handlers.ts';
import { createVolumeBody } from './schemas.ts';

const tag = { name: 'volumes', description: 'Block storage' };

export const volumeEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/volumes',
    tag,
    summary: "The project's volumes",
    access: 'project',
    watched: 'volume',
    response: listOf(volumeShape),
    rows: {
      filters: {
        instance_id: ['attachments.server_id'],
        volume_type: ['volume_type'],
        availability_zone: ['availability_zone'],
      },
    },
    ...servesList(volumeList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/volumes',
    tag,
    summary: 'Create a volume: an empty one, or a copy of one source',
    description: 'Answers at once; the volume is `creating` until it is `available`.',
    access: 'project',
    body: createVolumeBody,
    writes: { resource: 'volume', as: 'created' },
    status: 201,
    response: volumeShape,
    example: () => ({ status: 'creating', attachments: [] }),
    rateLimits: ['volumeCreate'],
    errors: ['not_found', 'conflict', 'quota_exceeded'],
    handler: createVolume,
  }),
  endpoint({
    method: 'POST',
    path: '/api/volumes/async',
    tag,
    summary: 'Create a volume and follow its progress',
    description: FOLLOWED,
    access: 'project',
    body: createVolumeBody,
    response: resourceMessageShape,
    produces: 'text/event-stream',
    rateLimits: ['volumeCreate'],
    startsJob: 'volume.create',
    handler: createVolumeAsync,
  }),
  endpoint({
    method: 'GET',
    path: '/api/volumes/:volume_id',
    tag,
    summary: 'One volume',
    access: 'project',
    params: pathIds('volume_id'),
    response: volumeShape,
    handler: getVolume,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/volumes/:volume_id',
    tag,
    summary: 'Rename or describe a volume',
    description: 'Fields that are absent stay as they are.',
    access: 'project',
    params: pathIds('volume_id'),
    body: updateVolumeBody,
    writes: { resource: 'volume', as: 'updated' },
    response: volumeShape,
    errors: ['conflict'],
    handler: updateVolume,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/volumes/:volume_id',
    tag,
    summary: 'Delete a volume',
    description: 'Refused with 409 while the volume is attached, has snapshots, or changes its state.',
    access: 'project',
    params: pathIds('volume_id'),
    writes: { resource: 'volume', as: 'deleting' },
    status: 204,
    errors: ['conflict'],
    handler: deleteVolume,
  }),
  endpoint({
    method: 'POST',
    path: '/api/volumes/:volume_id/force-delete',
    tag,
    summary: 'Delete a volume, also one in an error state',
    description:
      'A volume in the state `error` or `error_deleting` is reset to `available` first. Refused with 409 while the volume is attached.',
    access: 'project',
    params: pathIds('volume_id'),
    writes: { resource: 'volume', as: 'deleting' },
    status: 204,
    errors: ['conflict'],
    handler: forceDeleteVolume,
  }),
  endpoint({
    method: 'POST',
    path: '/api/volumes/:volume_id/extend',
    tag,
    summary: 'Enlarge a volume',
    description: 'Answers at once; the volume is `extending`. Refused with 409 in a state that forbids it.',
    access: 'project',
    params: pathIds('volume_id'),
    body: extendVolumeBody,
    writes: { resource: 'volume', as: 'updated' },
    response: extendedVolumeShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: extendOwnVolume,
  }),
  endpoint({
    method: 'POST',
    path: '/api/volumes/:volume_id/retype',
    tag,
    summary: 'Give a volume another type',
    description:
      'Answers at once; the volume is `retyping` and then as before, with the new type. It keeps the old one if it would have to move and `migration_policy` forbids that. Refused with 409 in a state that forbids it.',
    access: 'project',
    params: pathIds('volume_id'),
    body: retypeVolumeBody,
    writes: { resource: 'volume', as: 'updated' },
    response: retypedVolumeShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: retypeOwnVolume,
  }),
];
