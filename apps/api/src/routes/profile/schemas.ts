import { nonEmptyText, shape } from '@gateway/core/shapes';
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

export const messageShape = shape('Message', { message: nonEmptyText('The password has been changed.') });
