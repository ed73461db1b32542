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
