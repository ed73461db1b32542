import { flag, id, type ShapeType, shape, text } from '@gateway/core/shapes';

export const volumeTypeShape = shape('VolumeType', {
  id: id('volume_type'),
  name: text('ssd'),
  description: text(''),
  is_default: flag(false).describe('Whether a new volume has it if the request names no type.'),
  is_public: flag(),
});

export type VolumeType = ShapeType<typeof volumeTypeShape>;
