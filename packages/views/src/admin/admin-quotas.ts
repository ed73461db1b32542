import type { BlockStorageQuotas, BoundClient, ComputeQuotas, QuotaUsage } from '@gateway/openstack';
import type { QuotaValue } from '../file-storage-quota.ts';

/** The quotas that administrators set for a project. Memory in MB, sizes in GB. */
export interface AdminQuotas {
  compute: Record<'instances' | 'cores' | 'ram', QuotaValue>;
  volume: Record<'volumes' | 'gigabytes', QuotaValue>;
}

interface ProjectQuotas {
  compute: ComputeQuotas;
  storage: BlockStorageQuotas;
}

/**
 * @throws 404 for an unknown project, for which block storage would return its default limits
 */
export async function readAdminQuotas(openstack: BoundClient, projectId: string): Promise<ProjectQuotas> {
  await openstack.identity.projects.get(projectId);
  const [compute, storage] = await Promise.all([
    openstack.compute.quotas.get(projectId),
    openstack.blockStorage.quotas.get(projectId),
  ]);
  return { compute, storage };
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
