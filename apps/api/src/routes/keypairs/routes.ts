import { listOf } from '@gateway/core/shapes';
import { keypairShape, keypairTypeShape, newKeypairShape } from '@gateway/resources/shapes';

import { endpoint } from '../../pipeline/endpoint.ts';
import { createKeypair, deleteKeypair, listKeypairs, listKeypairTypes } from './handlers.ts';
import { keypairBody, keypairParams } from './schemas.ts';

const tag = { name: 'keypairs', description: 'Key pairs for ssh' };

export const keypairEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/keypairs',
    tag,
    summary: "The caller's key pairs",
    access: 'project',
    watched: 'keypair',
    response: listOf(keypairShape),
    rows: { filters: { type: ['type'] } },
    handler: listKeypairs,
  }),
  endpoint({
    method: 'GET',
    path: '/api/keypairs/types',
    tag,
    summary: 'The types of key pairs',
    access: 'project',
    response: listOf(keypairTypeShape),
    handler: listKeypairTypes,
  }),
  endpoint({
    method: 'POST',
    path: '/api/keypairs',
    tag,
    summary: 'Import a public key or generate a key pair',
    access: 'project',
    body: keypairBody,
    writes: { resource: 'keypair', as: 'created', id: ({ name }) => name },
    response: newKeypairShape,
    example: () => ({
      private_key: '-----BEGIN OPENSSH PRIVATE KEY-----\n…\n-----END OPENSSH PRIVATE KEY-----\n',
    }),
    secret: true,
    errors: ['conflict'],
    handler: createKeypair,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/keypairs/:keypair_name',
    tag,
    summary: 'Delete a key pair',
    access: 'project',
    params: keypairParams,
    writes: { resource: 'keypair', as: 'deleted' },
    status: 204,
    handler: deleteKeypair,
  }),
];
