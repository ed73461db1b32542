import Joi from 'joi';

export interface HealthQuery {
  ready: boolean;
  deep: boolean;
}

export const healthQuery = Joi.object<HealthQuery, true>({
  ready: Joi.boolean()
    .default(false)
    .description('503 while the process takes no more requests, because it stops.'),
  deep: Joi.boolean()
    .default(false)
    .description('Also check the dependencies. The result is at most ten seconds old.'),
});
