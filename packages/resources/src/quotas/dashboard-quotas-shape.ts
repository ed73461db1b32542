import { part, type ShapeType, shape } from '@gateway/core/shapes';
import { unavailable } from '../lists/unavailable.ts';
import { fileStorageQuotaShape } from './file-storage-quota-shape.ts';
import { gpuQuotasShape } from './gpu-quotas-shape.ts';
import { networkQuotas, quotaValue } from './quota-value.ts';

export const dashboardQuotasShape = shape('DashboardQuotas', {
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
  network: networkQuotas.nullable(),
  file_storage: fileStorageQuotaShape.nullable().describe('Also null if the service is not enabled.'),
  gpu: gpuQuotasShape.nullable().describe('Also null while the store of the quotas is unavailable.'),
  unavailable,
});

/** A part is null while its service is unavailable. */
export type DashboardQuotas = ShapeType<typeof dashboardQuotasShape>;
