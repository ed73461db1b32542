import { id, idOrEmpty, nonEmptyText, type ShapeType, shape, text, timestamp } from '@gateway/core/shapes';

export const transferShape = shape('Transfer', {
  id: id('transfer'),
  name: text('to-research'),
  volume_id: idOrEmpty('volume'),
  volume_name: text('data').nullable(),
  created_at: timestamp().nullable(),
});

export type Transfer = ShapeType<typeof transferShape>;

export const createdTransferShape = shape('CreatedTransfer', {
  id: id('transfer'),
  name: text('to-research'),
  volume_id: idOrEmpty('volume'),
  auth_key: nonEmptyText('5b1f0f1a9c3e4d27').describe(
    'Returned only in this response. A client with this key can accept the transfer.',
  ),
});

export type NewTransfer = ShapeType<typeof createdTransferShape>;

export const acceptedTransferShape = shape('AcceptedTransfer', {
  id: id('transfer'),
  volume_id: idOrEmpty('volume'),
});
