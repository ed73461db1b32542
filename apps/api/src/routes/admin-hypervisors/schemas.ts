import Joi from 'joi';
import { descriptionField } from '../../http/schemas/fields.ts';

export interface UpdateHypervisorBody {
  status?: 'enabled' | 'disabled';
  disabled_reason?: string;
}

export const updateHypervisorBody = Joi.object<UpdateHypervisorBody, true>({
  status: Joi.string().valid('enabled', 'disabled'),
  disabled_reason: descriptionField()
    .when('status', { is: 'disabled', otherwise: Joi.forbidden() })
    .messages({ 'any.unknown': 'needs the status disabled' })
    .description('Only with `disabled`.'),
})
  .required()
  .meta({
    name: 'UpdateHypervisor',
    example: () => ({ status: 'disabled', disabled_reason: 'New memory' }),
  });
