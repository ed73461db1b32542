import {
  flag,
  id,
  idOrEmpty,
  integer,
  keyOf,
  listOf,
  mapOf,
  namesBeside,
  nonEmptyText,
  oneOf,
  part,
  type ShapeType,
  shape,
  shapeLike,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { type EventData, type InstanceMessage, instanceProgress } from '@gateway/jobs';
import { type Instance, type InstanceDetail, instanceActions } from '@gateway/resources';
import { allowedActionsField, managedByField } from '@gateway/resources/shapes';
import Joi from 'joi';
import { addressesShape } from '../../http/schemas/addresses.ts';
import { estimateFields } from '../../http/schemas/estimate.ts';
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
        name: 'NewVolume',
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

const instanceFields = {
  id: id('instance'),
  name: text('web-1'),
  status: nonEmptyText('ACTIVE'),
  task_state: text().nullable().describe('The task in progress, such as `deleting`; null for none.'),
  image_id: idOrEmpty('image').nullable(),
  image_name: text('ubuntu-22.04').nullable(),
  flavor_id: idOrEmpty('flavor').nullable(),
  flavor_name: text('m1.small'),
  vcpus: integer(2),
  ram: integer(2048).describe('MB.'),
  disk: integer(20).describe('GB.'),
  gpu_count: integer(0).describe('The GPUs that the instance holds at the moment.'),
  ip_addresses: addressesShape,
  created_at: timestamp().nullable(),
  metadata: mapOf(text()),
  key_name: text('laptop').nullable(),
  user_id: idOrEmpty('user'),
  user_name: text('demo').nullable().describe('For administrators; null for others.'),
  overlay_libraries: listOf(nonEmptyText('python311')),
  overlay_strategy: oneOf(['prebuilt', 'dynamic']).nullable(),
  overlay_share_ids: listOf(id('overlay_share')),
  overlay_upper_volume_id: idOrEmpty('overlay_upper_volume').nullable(),
  overlay_upper_volume_name: text('web-1-upper').nullable(),
  workspace: part({
    status: oneOf(['pending', 'ready', 'failed', 'unknown']).describe(
      '`pending` until the instance has reported a result; `unknown` if it does not in time.',
    ),
    stage: text('installing').nullable().describe('The stage in progress or failed; null for none.'),
    message: nonEmptyText('The instance is ready.').describe(
      'For users: what it means, and what they can do.',
    ),
    checked_at: timestamp().nullable().describe('When the gateway last learned about it; null if never.'),
  })
    .nullable()
    .describe('Whether `/workspace` is mounted; null for an instance without libraries.'),
  managed_by: managedByField(),
  allowed_actions: allowedActionsField(instanceActions),
};

export const instanceShape = shapeLike<Instance>('Instance', instanceFields);

export const instanceDetailShape = shapeLike<InstanceDetail>('InstanceDetail', {
  ...instanceFields,
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable(),
  availability_zone: text('nova'),
  host_status: text().nullable(),
  power_state: integer().describe('As in the compute service: 1 is running, 4 is shut down.'),
  updated_at: timestamp().nullable(),
  launched_at: timestamp().nullable(),
  fault: part({ code: integer(), message: text('The instance is ready.') }).nullable(),
  security_groups: listOf(nonEmptyText('web')),
  volume_ids: listOf(id('volume')),
  volume_names: namesBeside('data'),
  job_id: idOrEmpty('job').nullable(),
  locked: flag(false).describe('Whether it is protected from actions and deletion.'),
  locked_reason: text().nullable(),
});

export const ownerShape = shape('InstanceOwner', {
  user_id: idOrEmpty('user'),
  user_name: text('demo').describe('Empty if the caller may not read it.'),
  project_id: idOrEmpty('project'),
  project_name: text('demo'),
});

export type InstanceOwner = ShapeType<typeof ownerShape>;

export const instanceMessageShape = shapeLike<EventData<InstanceMessage>>('InstanceMessage', {
  step: keyOf(instanceProgress, 'COMPLETED'),
  progress: integer(100).min(-1).max(100).describe('Never decreases, except to -1 for a failure.'),
  message: nonEmptyText('The instance is ready.'),
  instance_id: id('instance').nullable(),
  error: nonEmptyText().nullable(),
  job_id: id('job'),
  ...estimateFields,
  code: nonEmptyText().describe('The kind of failure.').optional(),
});
