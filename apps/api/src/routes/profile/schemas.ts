import type { Profile } from '@gateway/resources';
import Joi from 'joi';
import { listOf, nullableText, passwordField, shape, text } from '../../http/schemas/fields.ts';

export interface PasswordBody {
  current_password: string;
  new_password: string;
}

export const passwordBody = Joi.object<PasswordBody, true>({
  current_password: passwordField().required(),
  new_password: passwordField().required(),
}).required();

export const profileShape = shape<Profile>('Profile', {
  user_id: Joi.string(),
  username: text(),
  email: nullableText(),
  domain_id: text(),
  domain_name: text(),
  default_project_id: Joi.string().allow(null),
  default_project_name: nullableText().description('Null for another project than that of the token.'),
  enabled: Joi.boolean(),
  roles: listOf(Joi.string()).description('Those held in the current project.'),
});

export const messageShape = shape<{ message: string }>('Message', { message: Joi.string() }, () => ({
  message: 'The password has been changed.',
}));
