import { listOf } from '@gateway/core/shapes';
import { acceptedTransferShape, createdTransferShape, transferShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { acceptTransfer, createTransfer, deleteTransfer, listTransfers } from './handlers.ts';
import { acceptTransferBody, createTransferBody } from './schemas.ts';

const tag = { name: 'volume-transfers', description: 'Transfers of volumes to other projects' };

export const volumeTransferEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/volumes/transfers',
    tag,
    summary: 'The transfers that the project offers',
    access: 'project',
    watched: 'transfer',
    response: listOf(transferShape),
    handler: listTransfers,
  }),
  endpoint({
    method: 'POST',
    path: '/api/volumes/transfer/:transfer_id/accept',
    tag,
    summary: 'Take over a volume that another project offers',
    description:
      'The volume then belongs to the project of the caller, with its snapshots. A wrong key is 400, a volume beyond the quota 409.',
    access: 'project',
    params: pathIds('transfer_id'),
    body: acceptTransferBody,
    writes: [
      { resource: 'volume', as: 'updated', id: ({ volume_id }) => volume_id, touches: ['snapshot'] },
      { resource: 'transfer', as: 'updated' },
    ],
    response: acceptedTransferShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: acceptTransfer,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/volumes/transfer/:transfer_id',
    tag,
    summary: 'Withdraw a transfer',
    description: 'Answers 404 once the transfer was accepted.',
    access: 'project',
    params: pathIds('transfer_id'),
    writes: { resource: 'transfer', as: 'deleted', touches: ['volume'] },
    status: 204,
    errors: ['conflict'],
    handler: deleteTransfer,
  }),
  endpoint({
    method: 'POST',
    path: '/api/volumes/:volume_id/transfer',
    tag,
    summary: 'Offer a volume to another project',
    description:
      'The response contains the key with which any project can accept the transfer. The volume is `awaiting-transfer` until then. Its snapshots are transferred too.',
    access: 'project',
    params: pathIds('volume_id'),
    body: createTransferBody,
    writes: { resource: 'transfer', as: 'created', touches: ['volume'] },
    status: 201,
    response: createdTransferShape,
    secret: true,
    errors: ['conflict', 'quota_exceeded'],
    handler: createTransfer,
  }),
];
