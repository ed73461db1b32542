import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { extendedVolumeShape, extendVolumeBody, updateVolumeBody } from '../volumes/change-schemas.ts';
import { deleteVolume, extendVolume, resetVolumeStatus, updateVolume } from './handlers.ts';
import { resetStatusBody } from './schemas.ts';
import { resetVolumeShape, updatedVolumeShape } from './shapes.ts';

const params = pathIds('volume_id');

export const adminVolumeEndpoints = [
  endpoint({
    method: 'PATCH',
    path: '/api/admin/volumes/:volume_id',
    tag: adminTags.volumes,
    summary: 'Rename or describe a volume of any project',
    access: 'admin',
    params,
    body: updateVolumeBody,
    writes: { resource: 'volume', as: 'updated' },
    response: updatedVolumeShape,
    errors: ['conflict'],
    handler: updateVolume,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/volumes/:volume_id',
    tag: adminTags.volumes,
    summary: 'Delete a volume of any project',
    description: 'Refused with 409 while the volume is attached, has snapshots, or changes its state.',
    access: 'admin',
    params,
    writes: { resource: 'volume', as: 'deleting' },
    status: 204,
    errors: ['conflict'],
    handler: deleteVolume,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/volumes/:volume_id/extend',
    tag: adminTags.volumes,
    summary: 'Enlarge a volume of any project',
    description: 'Answers at once; the volume is `extending`. Refused with 409 in a state that forbids it.',
    access: 'admin',
    params,
    body: extendVolumeBody,
    writes: { resource: 'volume', as: 'updated' },
    response: extendedVolumeShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: extendVolume,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/volumes/:volume_id/reset-status',
    tag: adminTags.volumes,
    summary: 'Set the status of a volume of any project',
    description: 'Changes only the record of the block storage service, not the volume or its attachments.',
    access: 'admin',
    params,
    body: resetStatusBody,
    writes: { resource: 'volume', as: 'updated' },
    response: resetVolumeShape,
    errors: ['conflict'],
    handler: resetVolumeStatus,
  }),
];
