import Joi from 'joi';

export interface AllAutoBackupsQuery {
  needs_attention?: boolean;
}

export const allAutoBackupsQuery = Joi.object<AllAutoBackupsQuery, true>({
  needs_attention: Joi.boolean().description('Only rows whose `needs_attention` is this.'),
});
