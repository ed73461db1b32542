import { listOf } from '@gateway/core/shapes';
import { shareSnapshotShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { fileStorageTag } from '../file-storage/tag.ts';
import {
  createShareSnapshot,
  deleteShareSnapshot,
  getShareSnapshot,
  listShareSnapshots,
} from './handlers.ts';
import { createShareSnapshotBody } from './schemas.ts';

const service = 'sharedFs';
const params = pathIds('share_snapshot_id');

export const shareSnapshotEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/file-storage/snapshots',
    tag: fileStorageTag,
    summary: "The snapshots of the project's file storages",
    access: 'project',
    service,
    response: listOf(shareSnapshotShape),
    handler: listShareSnapshots,
  }),
  endpoint({
    method: 'POST',
    path: '/api/file-storage/snapshots',
    tag: fileStorageTag,
    summary: 'Take a snapshot of a file storage',
    description:
      'Answers at once; the snapshot is `creating` until it is `available`. Refused with 409 where the type of the file storage has no snapshots.',
    access: 'project',
    service,
    body: createShareSnapshotBody,
    writes: { resource: 'share_snapshot', as: 'created' },
    status: 201,
    response: shareSnapshotShape,
    example: () => ({ status: 'creating' }),
    errors: ['not_found', 'conflict', 'quota_exceeded'],
    handler: createShareSnapshot,
  }),
  endpoint({
    method: 'GET',
    path: '/api/file-storage/snapshots/:share_snapshot_id',
    tag: fileStorageTag,
    summary: 'One snapshot of a file storage',
    access: 'project',
    service,
    params,
    response: shareSnapshotShape,
    handler: getShareSnapshot,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/file-storage/snapshots/:share_snapshot_id',
    tag: fileStorageTag,
    summary: 'Delete a snapshot of a file storage',
    description: 'Refused with 409 while it is being made.',
    access: 'project',
    service,
    params,
    writes: { resource: 'share_snapshot', as: 'deleting' },
    status: 204,
    errors: ['conflict'],
    handler: deleteShareSnapshot,
  }),
];
