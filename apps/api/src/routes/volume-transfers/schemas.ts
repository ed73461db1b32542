import type { NewTransfer, Transfer } from '@gateway/resources';
import Joi from 'joi';
import { nameField, nullableText, shape, text, timestamp } from '../../http/schemas/fields.ts';

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

export const transferShape = shape<Transfer>('Transfer', {
  id: Joi.string(),
  name: text(),
  volume_id: text(),
  volume_name: nullableText(),
  created_at: timestamp().allow(null),
});

export const createdTransferShape = shape<NewTransfer>('CreatedTransfer', {
  id: Joi.string(),
  name: text(),
  volume_id: text(),
  auth_key: Joi.string().description(
    'Returned only in this response. A client with this key can accept the transfer.',
  ),
});

export const acceptedTransferShape = shape<Pick<Transfer, 'id' | 'volume_id'>>('AcceptedTransfer', {
  id: Joi.string(),
  volume_id: text(),
});
