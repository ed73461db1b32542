import {
  anyObject,
  id,
  idOrEmpty,
  integer,
  listOf,
  nonEmptyText,
  part,
  type ShapeType,
  shape,
  text,
} from '@gateway/core/shapes';

const hypervisorFields = {
  id: id('hypervisor'),
  name: text('compute-1'),
  state: nonEmptyText('up').describe('`up` or `down`.'),
  status: nonEmptyText('enabled').describe('`enabled` or `disabled`.'),
  hypervisor_type: text('QEMU'),
  vcpus: integer(32),
  vcpus_used: integer(8),
  memory_size_mb: integer(65536),
  memory_used_mb: integer(16384),
  local_disk_gb: integer(512),
  local_disk_used_gb: integer(128),
  running_vms: integer(3),
};

export const hypervisorShape = shape('Hypervisor', hypervisorFields);

export type Hypervisor = ShapeType<typeof hypervisorShape>;

export const hypervisorDetailShape = shape(
  'HypervisorDetail',
  {
    ...hypervisorFields,
    hypervisor_version: integer(9000000),
    host_ip: text('192.0.2.11'),
    uptime: text('12 days, 3:04')
      .nullable()
      .describe('Null if the host is down, or its driver does not report it.'),
    cpu_info: anyObject().nullable(),
    service_host: text('compute-1'),
    disabled_reason: text().nullable(),
    vcpus_allowed: integer()
      .nullable()
      .describe(
        'What instances may use in all, with the allocation ratio and without what is reserved; null while the placement service is unavailable.',
      ),
    memory_allowed_mb: integer(1).nullable(),
    servers: listOf(
      part({
        id: id('server'),
        name: text('web-1'),
        status: nonEmptyText('ACTIVE'),
        project_id: idOrEmpty('project'),
        project_name: text('demo').nullable(),
        flavor: text('m1.small').describe('Name.'),
      }),
    ),
  },
  () => ({ cpu_info: null }),
);

export type HypervisorDetail = ShapeType<typeof hypervisorDetailShape>;
