import { listOf } from '@gateway/core/shapes';
import { shareNetworkList } from '@gateway/resources';
import { shareNetworkShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { fileStorageTag } from '../file-storage/tag.ts';
import { createShareNetwork, deleteShareNetwork, getShareNetwork } from './handlers.ts';
import { createShareNetworkBody } from './schemas.ts';

const service = 'sharedFs';
const params = pathIds('share_network_id');

export const shareNetworkEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/file-storage/share-networks',
    tag: fileStorageTag,
    summary: "The project's share networks",
    description: 'Where a share type takes a share network, file storages are exported into its subnet.',
    access: 'project',
    service,
    response: listOf(shareNetworkShape),
    ...servesList(shareNetworkList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/file-storage/share-networks',
    tag: fileStorageTag,
    summary: 'Create a share network',
    access: 'project',
    service,
    body: createShareNetworkBody,
    writes: { resource: 'share_network', as: 'created' },
    status: 201,
    response: shareNetworkShape,
    errors: ['not_found', 'quota_exceeded'],
    handler: createShareNetwork,
  }),
  endpoint({
    method: 'GET',
    path: '/api/file-storage/share-networks/:share_network_id',
    tag: fileStorageTag,
    summary: 'One share network',
    access: 'project',
    service,
    params,
    response: shareNetworkShape,
    handler: getShareNetwork,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/file-storage/share-networks/:share_network_id',
    tag: fileStorageTag,
    summary: 'Delete a share network',
    description: 'Refused with 409 while file storages are in it.',
    access: 'project',
    service,
    params,
    writes: { resource: 'share_network', as: 'deleted' },
    status: 204,
    errors: ['conflict'],
    handler: deleteShareNetwork,
  }),
];
