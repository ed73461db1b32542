import { type NewQuotaLimits, quotaLimits } from '@gateway/jobs';
import Joi from 'joi';
import { pathIds } from '../../http/schemas/fields.ts';

/** What the services accept. */
const MAX_LIMIT = 2_147_483_647;
const MAX_LOAD_BALANCER_LIMIT = 2_000_000_000;

const limits = Object.fromEntries(
  Object.entries(quotaLimits).flatMap(([service, names]) => {
    const max = service === 'load-balancer' ? MAX_LOAD_BALANCER_LIMIT : MAX_LIMIT;
    return names.map((name) => [name, Joi.number().integer().min(-1).max(max)]);
  }),
) as Record<keyof NewQuotaLimits, Joi.NumberSchema>;

export const quotasBody = Joi.object<NewQuotaLimits, true>({ ...limits, ram: limits.ram.description('MB.') })
  .required()
  .description('-1 is unlimited. What is absent stays as it is.');

export const quotaParams = pathIds('project_id');
