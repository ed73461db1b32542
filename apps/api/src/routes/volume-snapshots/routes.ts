import { listOf } from '@gateway/core/shapes';
import { snapshotShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { createSnapshot, deleteSnapshot, getSnapshot, listSnapshots } from './handlers.ts';
import { createSnapshotBody } from './schemas.ts';

const tag = { name: 'volume-snapshots', description: 'Snapshots of volumes' };

export const volumeSnapshotEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/volume-snapshots',
    tag,
    summary: "The project's snapshots",
    access: 'project',
    watched: 'snapshot',
    response: listOf(snapshotShape),
    handler: listSnapshots,
  }),
  endpoint({
    method: 'POST',
    path: '/api/volume-snapshots',
    tag,
    summary: 'Take a snapshot of a volume',
    description:
      'Answers at once; the snapshot is `creating` until it is `available`. A volume in use is refused with 409 without `force`.',
    access: 'project',
    body: createSnapshotBody,
    writes: { resource: 'snapshot', as: 'created' },
    status: 201,
    response: snapshotShape,
    example: () => ({ status: 'creating' }),
    errors: ['not_found', 'conflict', 'quota_exceeded'],
    handler: createSnapshot,
  }),
  endpoint({
    method: 'GET',
    path: '/api/volume-snapshots/:snapshot_id',
    tag,
    summary: 'One snapshot',
    access: 'project',
    params: pathIds('snapshot_id'),
    response: snapshotShape,
    handler: getSnapshot,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/volume-snapshots/:snapshot_id',
    tag,
    summary: 'Delete a snapshot',
    description: 'Refused with 409 while it is being made or used.',
    access: 'project',
    params: pathIds('snapshot_id'),
    writes: { resource: 'snapshot', as: 'deleting' },
    status: 204,
    errors: ['conflict'],
    handler: deleteSnapshot,
  }),
];
