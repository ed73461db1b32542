import {
  flag,
  id,
  idOrEmpty,
  integer,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { allowedActionsField } from '../actions/action-fields.ts';
import { backupActions } from '../actions/backup-actions.ts';

export const backupShape = shape('Backup', {
  id: id('backup'),
  name: text('nightly'),
  description: text(''),
  status: nonEmptyText('available').describe(
    'As in the block storage service: `creating`, `available`, `restoring`, `error`, …',
  ),
  size: integer(10).describe('GB.'),
  volume_id: idOrEmpty('volume'),
  volume_name: text('data').nullable().describe('Null once the volume is deleted.'),
  is_incremental: flag(false),
  created_at: timestamp().nullable(),
  allowed_actions: allowedActionsField('backup', backupActions),
});

export type Backup = ShapeType<typeof backupShape>;
