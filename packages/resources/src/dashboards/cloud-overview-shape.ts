import type { Shape } from '@gateway/core/shapes';
import {
  idOrEmpty,
  integer,
  listOf,
  mapOf,
  number,
  part,
  type ShapeType,
  shape,
  text,
  textOf,
} from '@gateway/core/shapes';
import type { ServiceName } from '@gateway/platform';
import { instanceStats } from '../instances/instance-counts-shape.ts';

const optionalCount = (example = 1) => integer(example).nullable();

const unavailable = listOf(textOf<ServiceName>(), []).describe(
  'The services that are unavailable at the moment, whose figures are null.',
);

const usedOf = (amount: Shape<number>) => part({ total: amount, used: amount });

export const cloudOverviewShape = shape('CloudOverview', {
  hypervisor_count: optionalCount(),
  running_vms: optionalCount(3),
  gpu_instances: optionalCount(),
  containers_count: optionalCount(),
  file_storage_count: optionalCount(),
  instance_stats: instanceStats.nullable(),
  vcpus: part({
    total: integer(5),
    allowed: integer()
      .nullable()
      .describe(
        'With the allocation ratios, and without what is reserved. Of a host that is disabled or down only what is used.',
      ),
    used: integer(4),
  }).nullable(),
  ram_gb: usedOf(number()).nullable(),
  disk_gb: usedOf(integer()).nullable().describe('Of the hosts. A storage that hosts share counts once.'),
  unavailable,
});

/** A part is null while its service is unavailable. */
export type CloudOverview = ShapeType<typeof cloudOverviewShape>;

/** Null while the service is unavailable, or for a quota that could not be read in time. */
const quotaPart = () =>
  part({ used: optionalCount(4), quota: integer().nullable().describe('-1: unlimited.') });

export const projectUsageShape = shape('ProjectUsage', {
  project_id: idOrEmpty('project'),
  project_name: text('demo'),
  cpu: quotaPart(),
  ram_mb: quotaPart(),
  instances: quotaPart(),
  disk_gb: quotaPart().describe('Of volumes, and of snapshots if block storage counts them.'),
  gpu_instances: optionalCount(),
});

export type ProjectUsage = ShapeType<typeof projectUsageShape>;

export const monitoringSummaryShape = shape('MonitoringSummary', {
  compute: part({
    hypervisors_total: integer(),
    hypervisors_up: integer(),
    vcpus_total: integer(32),
    vcpus_used: integer(8),
    memory_total_mb: integer(65536),
    memory_used_mb: integer(16384),
    running_vms: integer(3),
    instance_stats: instanceStats,
    gpu_instances: integer(),
  }).nullable(),
  storage: part({
    volume_count: optionalCount(),
    volume_by_status: mapOf(integer()).nullable(),
    total_gb: optionalCount(),
    file_storage_count: optionalCount(),
  }),
  network: part({
    network_count: integer(),
    router_count: integer(),
    router_active: integer(),
    floating_ip_count: integer(),
    floating_ip_active: integer(),
    port_count: integer(),
  }).nullable(),
  containers: part({ container_count: optionalCount(), lite_count: optionalCount() }),
  unavailable,
});

/** A part, or one of its figures, is null while its service is unavailable. */
export type MonitoringSummary = ShapeType<typeof monitoringSummaryShape>;
