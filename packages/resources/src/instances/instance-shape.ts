import {
  enumOf,
  flag,
  id,
  idOrEmpty,
  integer,
  listOf,
  mapOf,
  namesBeside,
  nonEmptyText,
  part,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { allowedActionsField, managedByField } from '../actions/action-fields.ts';
import { instanceActions } from '../actions/instance-actions.ts';
import { addressesShape } from './addresses-shape.ts';

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
  overlay_strategy: enumOf('OverlayStrategy', ['prebuilt', 'dynamic']).nullable(),
  overlay_share_ids: listOf(id('overlay_share')),
  overlay_upper_volume_id: idOrEmpty('overlay_upper_volume').nullable(),
  overlay_upper_volume_name: text('web-1-upper').nullable(),
  workspace: part({
    status: enumOf('WorkspaceStatus', ['pending', 'ready', 'failed', 'unknown']).describe(
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
  allowed_actions: allowedActionsField('instance', instanceActions),
};

export const instanceShape = shape('Instance', instanceFields);

export type Instance = ShapeType<typeof instanceShape>;

/** Whether `/workspace` of an instance with libraries is mounted, as far as the gateway knows. */
export type Workspace = NonNullable<Instance['workspace']>;

export const instanceDetailShape = shape(
  'InstanceDetail',
  {
    ...instanceFields,
    project_id: idOrEmpty('project'),
    project_name: text('demo').nullable(),
    availability_zone: text('nova'),
    host_status: text().nullable(),
    power_state: integer().describe('As in the compute service: 1 is running, 4 is shut down.'),
    updated_at: timestamp().nullable(),
    launched_at: timestamp().nullable(),
    fault: part({ code: integer(500), message: text('No valid host was found.') })
      .nullable()
      .describe('What the compute service says about the status ERROR; null for none.'),
    security_groups: listOf(nonEmptyText('web')),
    volume_ids: listOf(id('volume')),
    volume_names: namesBeside('data'),
    job_id: idOrEmpty('job').nullable(),
    locked: flag(false).describe('Whether it is protected from actions and deletion.'),
    locked_reason: text().nullable(),
  },
  () => ({ fault: null }),
);

export type InstanceDetail = ShapeType<typeof instanceDetailShape>;
