import {
  flag,
  id,
  idOrEmpty,
  integer,
  listOf,
  nonEmptyText,
  part,
  shapeLike,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { type Volume, volumeActions } from '@gateway/resources';
import { allowedActionsField, managedByField } from '@gateway/resources/shapes';
import Joi from 'joi';
import {
  descriptionField,
  existingNameField,
  idField,
  nameField,
  volumeSizeField,
} from '../../http/schemas/fields.ts';

export interface CreateVolumeBody {
  name: string;
  size_gb?: number;
  description?: string;
  image_id?: string;
  snapshot_id?: string;
  source_volume_id?: string;
  volume_type?: string;
  availability_zone?: string;
}

const SOURCES = ['image_id', 'snapshot_id', 'source_volume_id'] as const;

export const createVolumeBody = Joi.object<CreateVolumeBody, true>({
  name: nameField().required(),
  size_gb: volumeSizeField().description(
    'Required without a source. Default: the size of the source, or the smallest one for the image.',
  ),
  description: descriptionField(),
  image_id: idField().description('The source: an image. The volume can be booted from.'),
  snapshot_id: idField().description('The source: a snapshot of the project.'),
  source_volume_id: idField().description('The source: a volume of the project.'),
  volume_type: existingNameField().description('Id or name. Default: that of the source, or of the service.'),
  availability_zone: existingNameField(),
})
  .oxor(...SOURCES)
  .or('size_gb', ...SOURCES)
  .messages({
    'object.oxor': `must have one of ${SOURCES.join(', ')} at most`,
    'object.missing': `must have size_gb, or one of ${SOURCES.join(', ')}`,
  })
  .required()
  .meta({
    name: 'CreateVolume',
    // Nobody sends all of the fields.
    example: () => ({ name: 'data', size_gb: 10 }),
  });

export const volumeShape = shapeLike<Volume>('Volume', {
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
  allowed_actions: allowedActionsField(volumeActions),
});
