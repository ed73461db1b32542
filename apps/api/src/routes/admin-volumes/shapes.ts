import { enumOf, id, integer, nonEmptyText, type ShapeType, shape, text } from '@gateway/core/shapes';

export const updatedVolumeShape = shape('UpdatedVolume', {
  id: id('volume'),
  name: text('data'),
  status: nonEmptyText('available'),
  size: integer(10).describe('GB.'),
});

export type UpdatedVolume = ShapeType<typeof updatedVolumeShape>;

export const resetVolumeShape = shape('ResetVolume', {
  status: enumOf('VolumeResetStatus', ['available', 'in-use', 'error']),
});
