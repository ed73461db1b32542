import type { AdminQuotas, QuotaValue } from '@gateway/views';
import Joi from 'joi';
import { part, pathIds, shape } from '../../http/schemas/fields.ts';

/** The limits to set. -1 is unlimited. */
export interface QuotasBody {
  instances?: number;
  cores?: number;
  ram?: number;
  volumes?: number;
  gigabytes?: number;
}

/** What the services accept. */
const MAX_LIMIT = 2_147_483_647;

const limitField = () => Joi.number().integer().min(-1).max(MAX_LIMIT);

export const quotasBody = Joi.object<QuotasBody, true>({
  instances: limitField(),
  cores: limitField(),
  ram: limitField().description('MB.'),
  volumes: limitField(),
  gigabytes: limitField(),
})
  .required()
  .description('-1 is unlimited. What is absent stays as it is.');

const usage = () =>
  part<QuotaValue>({
    limit: Joi.number().integer().description('-1 is unlimited.'),
    in_use: Joi.number().integer(),
  });

export const quotasShape = shape<AdminQuotas>('AdminQuotas', {
  compute: part({ instances: usage(), cores: usage(), ram: usage().description('MB.') }),
  volume: part({ volumes: usage(), gigabytes: usage() }),
});

export const quotasUpdatedShape = shape<{ status: 'updated' }>('QuotasUpdated', {
  status: Joi.string().valid('updated'),
});

export const quotaParams = pathIds('project_id');
