import type { AttachedVolume } from '@gateway/resources';
import Joi from 'joi';
import { idField, shape, text } from '../../http/schemas/fields.ts';

export interface AttachVolumeBody {
  volume_id: string;
}

export const attachVolumeBody = Joi.object<AttachVolumeBody, true>({ volume_id: idField().required() })
  .required()
  .meta({ name: 'AttachVolume' });

export const attachedVolumeShape = shape<AttachedVolume>(
  'AttachedVolume',
  {
    id: Joi.string().description("The volume's id."),
    volume_id: Joi.string(),
    server_id: text(),
    server_name: text(),
    device: text(),
    name: text(),
    size: Joi.number().integer().description('GB.'),
    status: Joi.string(),
    delete_on_termination: Joi.boolean(),
  },
  () => ({ status: 'in-use' }),
);
