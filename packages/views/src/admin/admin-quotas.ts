import type { BlockStorageQuotas, BoundClient, ComputeQuotas, QuotaUsage } from '@gateway/openstack';
import type { QuotaValue } from '../file-storage-quota.ts';

/** The quotas of a project that administrators update. Memory in MB, sizes in GB. */
export interface AdminQuotas {
  compute: Record<'instances' | 'cores' | 'ram', QuotaValue>;
  volume: Record<'volumes' | 'gigabytes', QuotaValue>;
}

interface ProjectQuotas {
  compute: ComputeQuotas;
  blockStorage: BlockStorageQuotas;
}

/**
 * @throws 404 for an unknown project, for which block storage would return its default limits
 */
export async function readAdminQuotas(openstack: BoundClient, projectId: string): Promise<ProjectQuotas> {
  await openstack.identity.projects.get(projectId);
  const [compute, blockStorage] = await Promise.all([
    openstack.compute.quotas.get(projectId),
    openstack.blockStorage.quotas.get(projectId),
  ]);
  return { compute, blockStorage };
}

export function presentAdminQuotas(compute: ComputeQuotas, blockStorage: BlockStorageQuotas): AdminQuotas {
  return {
    compute: {
      instances: value(compute.instances),
      cores: value(compute.cores),
      ram: value(compute.ram),
    },
    volume: { volumes: value(blockStorage.volumes), gigabytes: value(blockStorage.gigabytes) },
  };
}

function value({ limit, in_use }: QuotaUsage): QuotaValue {
  return { limit, in_use };
}
