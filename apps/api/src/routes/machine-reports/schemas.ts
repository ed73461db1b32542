import Joi from 'joi';

const MAX_LOG_TAIL_LENGTH = 16_384;

/** The stage of a builder or a verifier. */
export function stageField() {
  return Joi.string()
    .max(64)
    .pattern(/^[a-z_]+$/)
    .required();
}

export function logTailField() {
  return Joi.string().max(MAX_LOG_TAIL_LENGTH).allow('');
}
