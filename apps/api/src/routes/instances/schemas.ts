import Joi from 'joi';
import {
  adminPassField,
  chosenIdField,
  existingNameField,
  idField,
  nameField,
  volumeSizeField,
} from '../../http/schemas/fields.ts';
import { type InstanceOptionsBody, instanceOptionFields } from './options-schema.ts';

export interface CreateInstanceBody extends InstanceOptionsBody {
  name: string;
  image_id: string;
  flavor_id: string;
  libraries?: string[];
  strategy?: 'prebuilt' | 'dynamic';
  network_id?: string;
  key_name?: string;
  admin_pass?: string;
  availability_zone?: string;
  boot_volume_size_gb?: number;
  delete_boot_volume_on_termination?: boolean;
  additional_volume_ids?: string[];
  new_volumes?: { name: string; size_gb: number }[];
}

const MAX_LIBRARIES = 50;
/** In addition to the boot and upper volumes. Servers support at least 26 disks. */
const MAX_ADDITIONAL_VOLUMES = 10;
const MAX_NEW_VOLUMES = 10;

/** The compute service accepts no joiners and only characters of one UTF-16 code unit in names. */
const SERVER_NAME = /^[^\u200c-\u200d\ud800-\udfff]*$/;

export function instanceNameField() {
  return nameField().pattern(SERVER_NAME, 'contain emoji or joiners, which the compute service refuses');
}

export const createInstanceBody = Joi.object<CreateInstanceBody, true>({
  name: instanceNameField().required(),
  image_id: idField().required(),
  flavor_id: chosenIdField().required(),
  libraries: Joi.array().items(Joi.string().max(255)).max(MAX_LIBRARIES).description('Ids of libraries.'),
  strategy: Joi.string()
    .valid('prebuilt', 'dynamic')
    .meta({ name: 'OverlayStrategy' })
    .description('Default: `prebuilt` if every library has a prebuilt share, else `dynamic`.'),
  network_id: idField(),
  key_name: existingNameField(),
  admin_pass: adminPassField(),
  availability_zone: existingNameField(),
  boot_volume_size_gb: volumeSizeField().description('20 by default, or more if the image needs more.'),
  delete_boot_volume_on_termination: Joi.boolean().description(
    'True by default. With false the boot volume stays when the instance is deleted.',
  ),
  additional_volume_ids: Joi.array()
    .items(idField())
    .max(MAX_ADDITIONAL_VOLUMES)
    .unique()
    .description(
      'Available volumes of the project, attached in this order. They stay when the creation fails and when the instance is deleted.',
    ),
  new_volumes: Joi.array()
    .items(
      Joi.object({ name: nameField().required(), size_gb: volumeSizeField().required() }).meta({
        name: 'CreateAttachedVolume',
      }),
    )
    .max(MAX_NEW_VOLUMES)
    .description(
      'Created with the instance and attached after the additional ones. They stay when the instance is deleted.',
    ),
  ...instanceOptionFields,
})
  .oxor('network_id', 'networks')
  .messages({ 'object.oxor': 'must have one of network_id and networks at most' })
  .required()
  .meta({ name: 'CreateInstance', example: () => ({ libraries: ['python311'], boot_volume_size_gb: 20 }) });
