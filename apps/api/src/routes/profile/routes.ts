import { profileShape } from '@gateway/resources/shapes';
import { endpoint } from '../../pipeline/endpoint.ts';
import { changePassword, getProfile } from './handlers.ts';
import { messageShape, passwordBody } from './schemas.ts';

const tag = { name: 'profile', description: "The caller's own account" };

export const profileEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/profile',
    tag,
    summary: 'My account',
    access: 'token',
    response: profileShape,
    handler: getProfile,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/profile/password',
    tag,
    summary: 'Change my password',
    description: 'Tokens that were issued before may stop working.',
    access: 'token',
    writes: [],
    body: passwordBody,
    response: messageShape,
    rateLimits: ['password'],
    errors: ['wrong_password'],
    handler: changePassword,
  }),
];
