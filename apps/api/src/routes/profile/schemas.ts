import { flag, id, idOrEmpty, listOf, nonEmptyText, shape, shapeLike, text } from '@gateway/core/shapes';
import type { Profile } from '@gateway/resources';
import Joi from 'joi';
import { passwordField } from '../../http/schemas/fields.ts';

export interface PasswordBody {
  current_password: string;
  new_password: string;
}

export const passwordBody = Joi.object<PasswordBody, true>({
  current_password: passwordField().required(),
  new_password: passwordField().required(),
}).required();

export const profileShape = shapeLike<Profile>('Profile', {
  user_id: id('user'),
  username: text('demo'),
  email: text('demo@example.org').nullable(),
  domain_id: idOrEmpty('domain'),
  domain_name: text('Default'),
  default_project_id: id('default_project').nullable(),
  default_project_name: text('demo').nullable().describe('Null for another project than that of the token.'),
  enabled: flag(),
  roles: listOf(nonEmptyText('member')).describe('Those held in the current project.'),
});

export const messageShape = shape('Message', { message: nonEmptyText('The password has been changed.') });
