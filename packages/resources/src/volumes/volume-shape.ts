import {
  flag,
  id,
  idOrEmpty,
  integer,
  listOf,
  mapOf,
  nonEmptyText,
  part,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { allowedActionsField, managedByField } from '../actions/action-fields.ts';
import { volumeActions } from '../actions/volume-actions.ts';

export const volumeShape = shape('Volume', {
  id: id('volume'),
  name: text('data'),
  description: text(''),
  status: nonEmptyText('in-use').describe(
    'As in the block storage service: `available`, `in-use`, `error`, …',
  ),
  size: integer(10).describe('GB.'),
  volume_type: text('ssd'),
  availability_zone: text('nova'),
  bootable: flag(false),
  encrypted: flag(false),
  multiattach: flag(false).describe('Whether several instances can have it attached.'),
  /** Without the mark of the create request. */
  metadata: mapOf(text(), { purpose: 'data' }),
  attachments: listOf(
    part({
      server_id: idOrEmpty('server').describe('Empty if the volume is attached to a host.'),
      server_name: text('web-1').nullable(),
      host_name: text()
        .nullable()
        .describe(
          'The host that the volume is attached to, for administrators; null for others, and if it is an instance.',
        ),
      device: text('/dev/vdb'),
    }),
  ),
  user_id: idOrEmpty('user').nullable().describe('Who created it.'),
  user_name: text('demo').nullable().describe('For administrators; null for others.'),
  created_at: timestamp().nullable(),
  managed_by: managedByField(),
  allowed_actions: allowedActionsField('volume', volumeActions),
});

export type Volume = ShapeType<typeof volumeShape>;
