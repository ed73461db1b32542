import {
  id,
  integer,
  listOf,
  nonEmptyText,
  number,
  oneOf,
  part,
  shapeLike,
  text,
} from '@gateway/core/shapes';
import type {
  DashboardQuotas,
  DashboardSummary,
  GpuAvailability,
  Usage,
  UserDashboard,
} from '@gateway/resources';
import { quotaValue, volumeShape } from '@gateway/resources/shapes';

import { gpuQuotasShape } from '../admin-gpus/quota-schemas.ts';
import { fileStorageQuotaShape, fileStorageShape } from '../file-storage/schemas.ts';
import { instanceShape } from '../instances/schemas.ts';

function instanceCounts() {
  return part({
    total: integer(5),
    active: integer(3),
    shutoff: integer(),
    error: integer(),
  }).nullable();
}

function storageTotals() {
  return part({ total: integer(5), total_gb: integer() }).nullable();
}

const unavailable = listOf(oneOf(['blockStorage', 'compute', 'network', 'sharedFileSystem']), []).describe(
  'The services whose parts are null because they are unavailable, or refuse the read.',
);

export const dashboardSummaryShape = shapeLike<DashboardSummary>('DashboardSummary', {
  instances: instanceCounts(),
  compute: part({
    instances: quotaValue(),
    cores: quotaValue(),
    ram: quotaValue(),
  }).nullable(),
  storage: part({ volumes: quotaValue(), gigabytes: quotaValue() }).nullable(),
  gpu_used: integer(1).nullable().describe("The GPUs that the project's instances hold."),
  unavailable,
});

export const userDashboardShape = shapeLike<UserDashboard>('UserDashboard', {
  instances: listOf(instanceShape).nullable(),
  volumes: listOf(volumeShape, []).nullable(),
  file_storages: listOf(fileStorageShape, []).nullable().describe('Empty if the service is not enabled.'),
  summary: part({
    instances: instanceCounts(),
    vcpus: integer(2).nullable().describe("Of the caller's instances."),
    ram: integer(2048).nullable().describe("MB, of the caller's instances."),
    volumes: storageTotals(),
    file_storages: storageTotals(),
    networks: integer(1).nullable().describe("The project's own networks, whoever created them."),
    floating_ips: integer(1).nullable().describe("The project's floating IPs, whoever created them."),
  }),
  unavailable,
});

export const dashboardQuotasShape = shapeLike<DashboardQuotas>('DashboardQuotas', {
  compute: part({
    instances: quotaValue(),
    cores: quotaValue(),
    ram: quotaValue().describe('MB.'),
    key_pairs: quotaValue().describe('Of the caller: the limit is for each user.'),
    server_groups: quotaValue(),
  }).nullable(),
  storage: part({
    volumes: quotaValue(),
    snapshots: quotaValue(),
    gigabytes: quotaValue(),
    backups: quotaValue(),
    backup_gigabytes: quotaValue(),
  }).nullable(),
  network: part({
    networks: quotaValue(),
    subnets: quotaValue(),
    ports: quotaValue(),
    routers: quotaValue(),
    floating_ips: quotaValue(),
    security_groups: quotaValue(),
    security_group_rules: quotaValue(),
  }).nullable(),
  file_storage: fileStorageQuotaShape.nullable().describe('Also null if the service is not enabled.'),
  gpu: gpuQuotasShape.nullable().describe('Also null while the store of the quotas is unavailable.'),
  unavailable,
});

export const gpuAvailabilityShape = shapeLike<Partial<GpuAvailability>>(
  'GpuAvailability',
  {
    gpu_types: listOf(
      part({
        device_name: nonEmptyText('A100'),
        vendor: nonEmptyText('NVIDIA').nullable(),
        total: integer(8),
        used: integer(4),
        available: integer(4).describe('What the project may still use of it.'),
      }),
    )
      .describe('The type with the highest total first.')
      .optional(),
    summary: part({
      total_gpus: integer(8),
      used_gpus: integer(4),
      available_gpus: integer(4),
    }).optional(),
  },
  () => ({ gpu_types: [{}], summary: {} }),
);

function day(example: string) {
  return nonEmptyText(example).regex(/^\d{4}-\d\d-\d\d$/);
}

export const usageShape = shapeLike<Usage>('Usage', {
  start: day('2026-11-01').describe('First day, in UTC.'),
  end: day('2026-11-30').describe('Last day, in UTC.'),
  total_hours: number(24.5),
  total_vcpus_usage: number(49).describe('Hours of one virtual processor.'),
  total_memory_mb_usage: number(50176).describe('Hours of one MB.'),
  total_local_gb_usage: number(490).describe('Hours of one GB.'),
  server_usages: listOf(
    part({
      instance_id: id('instance'),
      name: text('web-1'),
      state: nonEmptyText('active').describe('`terminated` for a deleted instance.'),
      vcpus: integer(2),
      memory_mb: integer(2048),
      local_gb: integer(20),
      hours: number(24.5).describe('In the period.'),
    }),
  ),
});
