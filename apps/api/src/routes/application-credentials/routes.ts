import { listOf } from '@gateway/core/shapes';
import { applicationCredentialShape, newApplicationCredentialShape } from '@gateway/resources/shapes';

import { endpoint } from '../../pipeline/endpoint.ts';
import { createCredential, deleteCredential, listCredentials } from './handlers.ts';
import { credentialBody, credentialParams } from './schemas.ts';

const tag = { name: 'application credentials', description: 'Credentials of the caller for programs' };

export const applicationCredentialEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/auth/application-credentials',
    tag,
    summary: 'My application credentials',
    description: 'Those of all projects, without their secrets.',
    access: 'token',
    response: listOf(applicationCredentialShape),
    handler: listCredentials,
  }),
  endpoint({
    method: 'POST',
    path: '/api/auth/application-credentials',
    tag,
    summary: 'Create an application credential',
    description:
      'For the project of the request. The secret is in this response only: a repeated request, also with the same ' +
      '`Idempotency-Key`, is 409, because the name is taken. 403 `auth_method_unsupported` if the multi-factor rules of the ' +
      'caller refuse log-ins with it.',
    access: 'token',
    writes: [],
    body: credentialBody,
    status: 201,
    response: newApplicationCredentialShape,
    secret: true,
    ignoresIdempotencyKey: true,
    errors: ['auth_method_unsupported', 'conflict', 'forbidden', 'not_found'],
    handler: createCredential,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/auth/application-credentials/:credential_id',
    tag,
    summary: 'Delete an application credential',
    description:
      'Its tokens are revoked, and the sessions that began with it end. A job that one of them has started fails, unless it has ended.',
    access: 'token',
    writes: [],
    params: credentialParams,
    status: 204,
    errors: ['forbidden', 'not_found'],
    handler: deleteCredential,
  }),
];
