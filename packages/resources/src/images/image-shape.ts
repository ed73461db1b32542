import {
  enumOf,
  flag,
  id,
  integer,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';

export const imageShape = shape('Image', {
  id: id('image'),
  name: text('ubuntu-22.04'),
  status: nonEmptyText('active'),
  visibility: enumOf('ImageVisibility', ['public', 'private', 'shared', 'community']),
  owner: text().nullable().describe('Id of the project that it belongs to.'),
  owner_name: text().nullable(),
  size: integer(2361393152).describe('Bytes. Of an image that is a snapshot of a volume, the size of that.'),
  min_disk: integer(10).describe('GB.'),
  min_ram: integer(512).describe('MB.'),
  disk_format: text('qcow2'),
  os_distro: text('ubuntu'),
  os_hidden: flag(false).describe('Whether lists of members leave it out.'),
  protected: flag(false).describe('Whether it cannot be deleted.'),
  created_at: timestamp().nullable(),
});

export type Image = ShapeType<typeof imageShape>;
