import Joi from 'joi';
import { endpoint } from '../../http/endpoint.ts';
import { nameField, shape, timestamp } from '../../http/schemas.ts';
import { createKeypair, deleteKeypair, listKeypairs } from './handlers.ts';

const tag = 'keypairs';

export interface KeypairBody {
  name: string;
  public_key?: string;
  key_type: 'ssh' | 'x509';
}

const keypairBody = Joi.object<KeypairBody, true>({
  name: nameField().required(),
  public_key: Joi.string().min(1).max(65_535).description('The service makes a pair when there is none.'),
  key_type: Joi.string().valid('ssh', 'x509').default('ssh'),
}).required();

const keypairShape = shape('Keypair', {
  name: Joi.string(),
  fingerprint: Joi.string(),
  type: Joi.string(),
  created_at: timestamp().allow(null),
});

const newKeypairShape = shape('NewKeypair', {
  name: Joi.string(),
  fingerprint: Joi.string(),
  public_key: Joi.string(),
  private_key: Joi.string().optional().description('Only here and only now, when the service made the pair.'),
});

export const keypairEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/keypairs',
    tag,
    summary: "The caller's key pairs",
    access: 'project',
    response: Joi.array().items(keypairShape),
    handler: listKeypairs,
  }),
  endpoint({
    method: 'POST',
    path: '/api/keypairs',
    tag,
    summary: 'Import a public key, or have a pair made',
    access: 'project',
    body: keypairBody,
    response: newKeypairShape,
    secret: true,
    errors: [409],
    handler: createKeypair,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/keypairs/:keypair_name',
    tag,
    summary: 'Delete a key pair',
    access: 'project',
    params: Joi.object({ keypair_name: nameField().required() }),
    status: 204,
    handler: deleteKeypair,
  }),
];
