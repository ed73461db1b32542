import Joi from 'joi';
import { idField } from './fields.ts';

/** Schema fields of `IdentitySearch`. */
export const identitySearch = {
  name: Joi.string()
    .min(1)
    .max(255)
    .description(
      'A part of the name, in any case. The identity service searches, so the result is not cached.',
    ),
  domain_id: idField().description('Only those of this domain.'),
};
