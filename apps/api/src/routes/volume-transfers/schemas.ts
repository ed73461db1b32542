import { id, idOrEmpty, nonEmptyText, shapeLike, text, timestamp } from '@gateway/core/shapes';
import type { NewTransfer, Transfer } from '@gateway/resources';
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

export const transferShape = shapeLike<Transfer>('Transfer', {
  id: id('transfer'),
  name: text('to-research'),
  volume_id: idOrEmpty('volume'),
  volume_name: text('data').nullable(),
  created_at: timestamp().nullable(),
});

export const createdTransferShape = shapeLike<NewTransfer>('CreatedTransfer', {
  id: id('transfer'),
  name: text('to-research'),
  volume_id: idOrEmpty('volume'),
  auth_key: nonEmptyText('5b1f0f1a9c3e4d27').describe(
    'Returned only in this response. A client with this key can accept the transfer.',
  ),
});

export const acceptedTransferShape = shapeLike<Pick<Transfer, 'id' | 'volume_id'>>('AcceptedTransfer', {
  id: id('transfer'),
  volume_id: idOrEmpty('volume'),
});
