import { gpusHeldBy } from '@gateway/inventory';
import type { BoundClient, ServerRecord } from '@gateway/openstack';
import { countInstances } from './instance-counts.ts';
import type { InstanceStats } from './instance-counts-shape.ts';

/** The fields of an instance that are needed for counts. */
export interface CountedInstance {
  project_id: string;
  status: string;
  vcpus: number;
  ram: number;
  has_gpu: boolean;
}

/** The instances of all projects. Reads one list and keeps only the fields for counts. */
export function readCountedInstances({ compute }: BoundClient): Promise<CountedInstance[]> {
  return compute.servers.listAs(presentCounted, { all_tenants: 1 });
}

function presentCounted(server: ServerRecord): CountedInstance {
  return {
    project_id: server.tenant_id,
    status: server.status,
    vcpus: server.flavor.vcpus,
    ram: server.flavor.ram,
    has_gpu: gpusHeldBy(server) > 0,
  };
}

export function statsOf(instances: readonly CountedInstance[]): InstanceStats {
  const counts = countInstances(instances);
  return { ...counts, other: counts.total - counts.active - counts.shutoff - counts.error };
}

export function countGpuInstances(instances: readonly CountedInstance[]): number {
  return instances.filter(({ has_gpu }) => has_gpu).length;
}
