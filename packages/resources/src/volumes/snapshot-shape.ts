import {
  id,
  idOrEmpty,
  integer,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { allowedActionsField, managedByField } from '../actions/action-fields.ts';
import { snapshotActions } from '../actions/snapshot-actions.ts';

export const snapshotShape = shape('Snapshot', {
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
  allowed_actions: allowedActionsField('snapshot', snapshotActions),
});

export type Snapshot = ShapeType<typeof snapshotShape>;
