import Joi from 'joi';
import { endpoint } from '../../http/endpoint.ts';
import { shape } from '../../http/schemas.ts';
import { changePassword, getProfile } from './handlers.ts';

const tag = 'profile';

export interface PasswordBody {
  current_password: string;
  new_password: string;
}

const passwordBody = Joi.object<PasswordBody, true>({
  current_password: Joi.string().min(1).max(4096).required(),
  new_password: Joi.string().min(1).max(4096).required(),
}).required();

const profileShape = shape('Profile', {
  user_id: Joi.string(),
  username: Joi.string(),
  email: Joi.string().allow(null),
  domain_id: Joi.string(),
  domain_name: Joi.string(),
  default_project_id: Joi.string().allow(null),
  enabled: Joi.boolean(),
  roles: Joi.array().items(Joi.string().optional()).description('Those held in the current project.'),
});

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
    description: 'Tokens given out before may stop working.',
    access: 'token',
    body: passwordBody,
    response: shape('Message', { message: Joi.string() }),
    rateLimits: ['password'],
    handler: changePassword,
  }),
];
