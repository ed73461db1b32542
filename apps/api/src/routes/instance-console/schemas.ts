import Joi from 'joi';

export interface LogQuery {
  length: number;
}

export const logQuery = Joi.object<LogQuery, true>({
  length: Joi.number().integer().min(0).default(100).description('How many of the last lines; 0 for all.'),
});
