import { type EventData, type InstanceMessage, instanceProgress } from '@gateway/jobs';
import { type Instance, type InstanceDetail, instanceActions } from '@gateway/resources';
import Joi from 'joi';
import { allowedActionsField, managedByField } from '../../http/schemas/actions.ts';
import { addressesShape } from '../../http/schemas/addresses.ts';
import { estimateFields } from '../../http/schemas/estimate.ts';
import {
  adminPassField,
  chosenIdField,
  existingNameField,
  type FieldsOf,
  idField,
  listOf,
  nameField,
  namesBeside,
  nullableText,
  part,
  shape,
  text,
  timestamp,
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

const instanceFields: FieldsOf<Instance> = {
  id: Joi.string(),
  name: text(),
  status: Joi.string(),
  task_state: nullableText().description('The task in progress, such as `deleting`; null for none.'),
  image_id: nullableText(),
  image_name: nullableText(),
  flavor_id: nullableText(),
  flavor_name: text(),
  vcpus: Joi.number().integer(),
  ram: Joi.number().integer().description('MB.'),
  disk: Joi.number().integer().description('GB.'),
  gpu_count: Joi.number().integer().description('The GPUs that the instance holds at the moment.'),
  ip_addresses: addressesShape,
  created_at: timestamp().allow(null),
  metadata: Joi.object().pattern(Joi.string(), text()),
  key_name: nullableText(),
  user_id: text(),
  user_name: nullableText().description('For administrators; null for others.'),
  overlay_libraries: listOf(Joi.string()),
  overlay_strategy: Joi.string().valid('prebuilt', 'dynamic', null),
  overlay_share_ids: listOf(Joi.string()),
  overlay_upper_volume_id: nullableText(),
  overlay_upper_volume_name: nullableText(),
  workspace: part<NonNullable<Instance['workspace']>>({
    status: Joi.string()
      .valid('pending', 'ready', 'failed', 'unknown')
      .description('`pending` until the instance has reported a result; `unknown` if it does not in time.'),
    stage: nullableText().description('The stage in progress or failed; null for none.'),
    message: Joi.string().description('For users: what it means, and what they can do.'),
    checked_at: timestamp().allow(null).description('When the gateway last learned about it; null if never.'),
  })
    .allow(null)
    .description('Whether `/workspace` is mounted; null for an instance without libraries.'),
  managed_by: managedByField(),
  allowed_actions: allowedActionsField(instanceActions),
};

export const instanceShape = shape<Instance>('Instance', instanceFields, () => ({
  status: 'ACTIVE',
  ip_addresses: [{ type: 'fixed' }, { addr: '203.0.113.20', type: 'floating' }],
}));

export const instanceDetailShape = shape<InstanceDetail>(
  'InstanceDetail',
  {
    ...instanceFields,
    project_id: text(),
    project_name: nullableText(),
    availability_zone: text(),
    host_status: nullableText(),
    power_state: Joi.number()
      .integer()
      .description('As in the compute service: 1 is running, 4 is shut down.'),
    updated_at: timestamp().allow(null),
    launched_at: timestamp().allow(null),
    fault: part<InstanceDetail['fault']>({ code: Joi.number().integer(), message: text() }).allow(null),
    security_groups: listOf(Joi.string()),
    volume_ids: listOf(Joi.string()),
    volume_names: namesBeside(),
    job_id: nullableText(),
    locked: Joi.boolean().description('Whether it is protected from actions and deletion.'),
    locked_reason: nullableText(),
  },
  () => ({
    status: 'ACTIVE',
    ip_addresses: [{ type: 'fixed' }, { addr: '203.0.113.20', type: 'floating' }],
    security_groups: ['web'],
  }),
);

export interface InstanceOwner {
  user_id: string;
  user_name: string;
  project_id: string;
  project_name: string;
}

export const ownerShape = shape<InstanceOwner>('InstanceOwner', {
  user_id: text(),
  user_name: text().description('Empty if the caller may not read it.'),
  project_id: text(),
  project_name: text(),
});

export const instanceMessageShape = shape<EventData<InstanceMessage>>('InstanceMessage', {
  step: Joi.string().valid(...Object.keys(instanceProgress)),
  progress: Joi.number()
    .integer()
    .min(-1)
    .max(100)
    .description('Never decreases, except to -1 for a failure.'),
  message: Joi.string(),
  instance_id: Joi.string().allow(null),
  error: Joi.string().allow(null),
  job_id: Joi.string(),
  ...estimateFields,
  code: Joi.string().optional().description('The kind of failure.'),
});
