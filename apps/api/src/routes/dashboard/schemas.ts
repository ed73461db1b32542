import type { ServiceName } from '@gateway/platform';
import type {
  DashboardQuotas,
  DashboardSummary,
  GpuAvailability,
  Usage,
  UserDashboard,
} from '@gateway/resources';
import Joi from 'joi';
import { listOf, part, shape, text } from '../../http/schemas/fields.ts';
import { gpuQuotasShape } from '../admin-gpus/quota-schemas.ts';
import { fileStorageQuotaShape, fileStorageShape, quotaValue } from '../file-storage/schemas.ts';
import { instanceShape } from '../instances/schemas.ts';
import { volumeShape } from '../volumes/schemas.ts';

function count() {
  return Joi.number().integer();
}

function instanceCounts() {
  return part<DashboardSummary['instances']>({
    total: count(),
    active: count(),
    shutoff: count(),
    error: count(),
  }).allow(null);
}

function storageTotals() {
  return part<UserDashboard['summary']['volumes']>({ total: count(), total_gb: count() }).allow(null);
}

const unavailable = listOf(
  Joi.string<ServiceName>().valid('blockStorage', 'compute', 'network', 'sharedFileSystem'),
).description('The services whose parts are null because they are unavailable, or refuse the read.');

export const dashboardSummaryShape = shape<DashboardSummary>('DashboardSummary', {
  instances: instanceCounts(),
  compute: part<DashboardSummary['compute']>({
    instances: quotaValue(),
    cores: quotaValue(),
    ram: quotaValue(),
  }).allow(null),
  storage: part<DashboardSummary['storage']>({ volumes: quotaValue(), gigabytes: quotaValue() }).allow(null),
  gpu_used: count().allow(null).description("The GPUs that the project's instances hold."),
  unavailable,
});

export const userDashboardShape = shape<UserDashboard>(
  'UserDashboard',
  {
    instances: listOf(instanceShape).allow(null),
    volumes: listOf(volumeShape).allow(null),
    file_storages: listOf(fileStorageShape).allow(null).description('Empty if the service is not enabled.'),
    summary: part({
      instances: instanceCounts(),
      vcpus: count().allow(null).description("Of the caller's instances."),
      ram: count().allow(null).description("MB, of the caller's instances."),
      volumes: storageTotals(),
      file_storages: storageTotals(),
      networks: count().allow(null).description("The project's own networks, whoever created them."),
      floating_ips: count().allow(null).description("The project's floating IPs, whoever created them."),
    }),
    unavailable,
  },
  () => ({ instances: [{ status: 'ACTIVE' }], volumes: [], file_storages: [] }),
);

export const dashboardQuotasShape = shape<DashboardQuotas>('DashboardQuotas', {
  compute: part<DashboardQuotas['compute']>({
    instances: quotaValue(),
    cores: quotaValue(),
    ram: quotaValue().description('MB.'),
    key_pairs: quotaValue().description('Of the caller: the limit is for each user.'),
    server_groups: quotaValue(),
  }).allow(null),
  storage: part<DashboardQuotas['storage']>({
    volumes: quotaValue(),
    snapshots: quotaValue(),
    gigabytes: quotaValue(),
    backups: quotaValue(),
    backup_gigabytes: quotaValue(),
  }).allow(null),
  network: part<DashboardQuotas['network']>({
    networks: quotaValue(),
    subnets: quotaValue(),
    ports: quotaValue(),
    routers: quotaValue(),
    floating_ips: quotaValue(),
    security_groups: quotaValue(),
    security_group_rules: quotaValue(),
  }).allow(null),
  file_storage: fileStorageQuotaShape.allow(null).description('Also null if the service is not enabled.'),
  gpu: gpuQuotasShape.allow(null).description('Also null while the store of the quotas is unavailable.'),
  unavailable,
});

export const gpuAvailabilityShape = shape<Partial<GpuAvailability>>(
  'GpuAvailability',
  {
    gpu_types: listOf(
      part<GpuAvailability['gpu_types'][number]>({
        device_name: Joi.string(),
        vendor: Joi.string().allow(null),
        total: count(),
        used: count(),
        available: count().description('What the project may still use of it.'),
      }),
    )
      .optional()
      .description('The type with the highest total first.'),
    summary: part<GpuAvailability['summary']>({
      total_gpus: count(),
      used_gpus: count(),
      available_gpus: count(),
    }).optional(),
  },
  () => ({
    gpu_types: [{ device_name: 'A100', total: 8, used: 4, available: 4 }],
    summary: { total_gpus: 8, used_gpus: 4, available_gpus: 4 },
  }),
);

function day() {
  return Joi.string().pattern(/^\d{4}-\d\d-\d\d$/);
}

export const usageShape = shape<Usage>(
  'Usage',
  {
    start: day().description('First day, in UTC.'),
    end: day().description('Last day, in UTC.'),
    total_hours: Joi.number(),
    total_vcpus_usage: Joi.number().description('Hours of one virtual processor.'),
    total_memory_mb_usage: Joi.number().description('Hours of one MB.'),
    total_local_gb_usage: Joi.number().description('Hours of one GB.'),
    server_usages: listOf(
      part({
        instance_id: Joi.string(),
        name: text(),
        state: Joi.string().description('`terminated` for a deleted instance.'),
        vcpus: count(),
        memory_mb: count(),
        local_gb: count(),
        hours: Joi.number().description('In the period.'),
      }),
    ),
  },
  () => ({ server_usages: [{ state: 'active' }] }),
);
