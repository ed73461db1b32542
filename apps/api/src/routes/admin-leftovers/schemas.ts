import { LEFTOVER_TYPES, type LeftoverType } from '@gateway/inventory';
import Joi from 'joi';
import { idField } from '../../http/schemas/fields.ts';

export interface LeftoverParams {
  type: LeftoverType;
  resource_id: string;
}

export interface RemoveLeftoverBody {
  force: boolean;
}

export const leftoverParams = Joi.object<LeftoverParams>({
  type: Joi.string()
    .valid(...LEFTOVER_TYPES)
    .meta({ name: 'LeftoverType' })
    .required(),
  resource_id: idField().required(),
});

export const removeLeftoverBody = Joi.object<RemoveLeftoverBody, true>({
  force: Joi.boolean().default(false).description('Removes it although it has a `doubt`.'),
})
  .optional()
  .meta({ name: 'RemoveLeftover' });
