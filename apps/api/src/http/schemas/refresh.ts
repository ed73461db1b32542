import Joi from 'joi';

/** Whether to read anew. All reads take it, also those of what is not cached. An empty value is none. */
export function refreshField() {
  return Joi.boolean().truthy('1').falsy('0').empty('');
}
