import {
  flag,
  id,
  idOrEmpty,
  integer,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
} from '@gateway/core/shapes';

export const attachedVolumeShape = shape('AttachedVolume', {
  id: id('volume').describe("The volume's id."),
  volume_id: id('volume'),
  server_id: idOrEmpty('server'),
  server_name: text('web-1'),
  device: text('/dev/vdb'),
  name: text('data'),
  size: integer(10).describe('GB.'),
  status: nonEmptyText('in-use'),
  delete_on_termination: flag(),
});

export type AttachedVolume = ShapeType<typeof attachedVolumeShape>;
