import type { Image } from '@gateway/resources';
import Joi from 'joi';
import { nullableText, shape, text, timestamp } from './fields.ts';

export const imageShape = shape<Image>(
  'Image',
  {
    id: Joi.string(),
    name: text(),
    status: Joi.string(),
    visibility: Joi.string().valid('public', 'private', 'shared', 'community'),
    owner: nullableText().description('Id of the project that it belongs to.'),
    owner_name: nullableText(),
    size: Joi.number()
      .integer()
      .description('Bytes. Of an image that is a snapshot of a volume, the size of that.'),
    min_disk: Joi.number().integer().description('GB.'),
    min_ram: Joi.number().integer().description('MB.'),
    disk_format: text(),
    os_distro: text(),
    created_at: timestamp().allow(null),
  },
  () => ({ status: 'active', size: 2_361_393_152 }),
);
