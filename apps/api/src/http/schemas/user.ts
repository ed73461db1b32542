import type { User } from '@gateway/resources';
import Joi from 'joi';
import { nullableText, shape, text } from './fields.ts';

/** A user as administrators see them. */
export const userShape = shape<User>('User', {
  id: Joi.string(),
  name: text(),
  email: text(),
  enabled: Joi.boolean(),
  domain_id: text(),
  domain_name: nullableText(),
  default_project_id: Joi.string().allow(null),
  default_project_name: nullableText(),
  created_at: Joi.valid(null).description('Always null: the service does not record it.'),
});
