import type { Volume } from '@gateway/views';
import Joi from 'joi';
import {
  listOf,
  nameField,
  nullableText,
  part,
  shape,
  text,
  timestamp,
  volumeSizeField,
} from '../../http/schemas/fields.ts';

export interface CreateVolumeBody {
  name: string;
  size_gb: number;
  availability_zone?: string;
}

export const createVolumeBody = Joi.object<CreateVolumeBody, true>({
  name: nameField().required(),
  size_gb: volumeSizeField().required(),
  availability_zone: nameField(),
})
  .required()
  .meta({ name: 'CreateVolume' });

export const volumeShape = shape<Volume>(
  'Volume',
  {
    id: Joi.string(),
    name: text(),
    description: text(),
    status: Joi.string().description('As in the block storage service: `available`, `in-use`, `error`, …'),
    size: Joi.number().integer().description('GB.'),
    volume_type: text(),
    availability_zone: text(),
    bootable: Joi.boolean(),
    attachments: listOf(part({ server_id: Joi.string(), device: text() })),
    user_id: nullableText().description('Who created it.'),
    created_at: timestamp().allow(null),
  },
  () => ({ status: 'in-use', bootable: false }),
);
