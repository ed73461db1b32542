import { flag, id, idOrEmpty, integer, nonEmptyText, shapeLike, text } from '@gateway/core/shapes';
import type { AttachedVolume } from '@gateway/resources';
import Joi from 'joi';
import { idField } from '../../http/schemas/fields.ts';

export interface AttachVolumeBody {
  volume_id: string;
}

export const attachVolumeBody = Joi.object<AttachVolumeBody, true>({ volume_id: idField().required() })
  .required()
  .meta({ name: 'AttachVolume' });

export const attachedVolumeShape = shapeLike<AttachedVolume>('AttachedVolume', {
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
