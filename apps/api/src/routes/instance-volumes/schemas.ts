import Joi from 'joi';
import { idField } from '../../http/schemas/fields.ts';

export interface AttachVolumeBody {
  volume_id: string;
}

export const attachVolumeBody = Joi.object<AttachVolumeBody, true>({ volume_id: idField().required() })
  .required()
  .meta({ name: 'AttachVolume' });
