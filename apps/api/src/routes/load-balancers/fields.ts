import Joi from 'joi';

/** A value that the service defines, such as a protocol. The service refuses unsupported values with 400. */
export function serviceWord() {
  return Joi.string()
    .max(64)
    .pattern(/^[A-Z][A-Z0-9_-]*$/)
    .messages({ 'string.pattern.base': 'must be a word in capital letters' });
}

export function portField() {
  return Joi.number().integer().min(1).max(65_535);
}
