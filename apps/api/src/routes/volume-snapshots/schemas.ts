import { id, idOrEmpty, integer, nonEmptyText, shapeLike, text, timestamp } from '@gateway/core/shapes';
import { type Snapshot, snapshotActions } from '@gateway/resources';
import { allowedActionsField, managedByField } from '@gateway/resources/shapes';
import Joi from 'joi';
import { descriptionField, idField, nameField } from '../../http/schemas/fields.ts';

export interface CreateSnapshotBody {
  name: string;
  volume_id: string;
  description?: string;
  force: boolean;
}

export const createSnapshotBody = Joi.object<CreateSnapshotBody, true>({
  name: nameField().required(),
  volume_id: idField().required(),
  description: descriptionField(),
  force: Joi.boolean().default(false).description('Also take a snapshot of a volume that is in use.'),
})
  .required()
  .meta({ name: 'CreateSnapshot' });

export const snapshotShape = shapeLike<Snapshot>('Snapshot', {
  id: id('snapshot'),
  name: text('before-upgrade'),
  description: text(''),
  status: nonEmptyText('available').describe(
    'As in the block storage service: `creating`, `available`, `error`, …',
  ),
  size: integer(10).describe('GB.'),
  volume_id: idOrEmpty('volume'),
  volume_name: text('data').nullable(),
  created_at: timestamp().nullable(),
  managed_by: managedByField(),
  allowed_actions: allowedActionsField(snapshotActions),
});
