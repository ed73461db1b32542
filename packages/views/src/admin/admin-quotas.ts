import type { BlockStorageQuotas, ComputeQuotas, QuotaUsage } from '@gateway/openstack';
import type { QuotaValue } from '../file-storage-quota.ts';

/** What administrators set for a project. Memory in MB, sizes in GB. */
export interface AdminQuotas {
  compute: Record<'instances' | 'cores' | 'ram', QuotaValue>;
  volume: Record<'volumes' | 'gigabytes', QuotaValue>;
}

export function presentAdminQuotas(compute: ComputeQuotas, storage: BlockStorageQuotas): AdminQuotas {
  return {
    compute: {
      instances: value(compute.instances),
      cores: value(compute.cores),
      ram: value(compute.ram),
    },
    volume: { volumes: value(storage.volumes), gigabytes: value(storage.gigabytes) },
  };
}

function value({ limit, in_use }: QuotaUsage): QuotaValue {
  return { limit, in_use };
}
