import Joi from 'joi';
import { nameField } from '../../http/schemas/fields.ts';

export interface CreateTransferBody {
  name?: string;
}

export interface AcceptTransferBody {
  auth_key: string;
}

export const createTransferBody = Joi.object<CreateTransferBody, true>({ name: nameField() })
  .optional()
  .meta({ name: 'CreateTransfer', example: () => ({ name: 'to-research' }) });

export const acceptTransferBody = Joi.object<AcceptTransferBody, true>({
  auth_key: Joi.string().min(1).max(255).required().description('The key from the response to the creation.'),
})
  .required()
  .meta({ name: 'AcceptTransfer' });
