import type { BoundClient } from '@gateway/openstack';
import type { Hypervisor } from '../hypervisors/hypervisor-shape.ts';
import { readHypervisors } from '../hypervisors/hypervisors.ts';
import {
  type CountedInstance,
  countGpuInstances,
  readCountedInstances,
  statsOf,
} from '../instances/cloud-instances.ts';
import { CachedList, type LoadSources } from '../lists/cached-list.ts';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import { isOffered } from '../lists/is-offered.ts';
import { sum } from './cloud-overview.ts';
import type { MonitoringSummary } from './cloud-overview-shape.ts';

/**
 * Reads at most twelve lists concurrently and one inventory for each full host, and keeps only the fields for
 * counts.
 */
export const monitoringSummary = new CachedList<MonitoringSummary>({
  name: 'monitoringSummary',
  varyBy: 'nothing',
  dependsOn: [
    'instance',
    'volume',
    'file_storage',
    'network',
    'router',
    'floating_ip',
    'port',
    'container',
    'lite_cluster',
  ],
  lifetime: 'adminSeconds',
  async load(sources) {
    const { config, onIncomplete, openstack } = sources;
    const { services, timeLimits } = config;
    const hasContainers = await isOffered(openstack, services, 'container');
    const hasShares = await isOffered(openstack, services, 'sharedFileSystem');
    const parts = new DashboardParts(timeLimits.dashboardPartSeconds * 1000, onIncomplete);
    const listed = parts.read('compute', () => openstack.compute.hypervisors.list());
    const [hypervisors, instances, volumes, shares, network, containers, lite_count] = await Promise.all([
      readHypervisors(openstack, listed, parts, onIncomplete),
      parts.read('compute', () => readCountedInstances(openstack)),
      parts.read('blockStorage', () => readVolumes(openstack)),
      hasShares ? parts.read('sharedFileSystem', () => openstack.sharedFileSystem.shares.countAll()) : 0,
      parts.read('network', () => readNetwork(openstack)),
      hasContainers ? parts.read('container', () => openstack.container.containers.listOfAll()) : [],
      services.lite ? countLiteClusters(sources) : 0,
    ]);
    return {
      compute: hypervisors && instances && presentCompute(hypervisors, instances),
      storage: {
        volume_count: volumes?.length ?? null,
        volume_by_status: volumes && countByStatus(volumes),
        total_gb: volumes && sum(volumes, ({ size }) => size),
        file_storage_count: shares,
      },
      network,
      containers: { container_count: containers?.length ?? null, lite_count },
      unavailable: parts.unavailable,
    };
  },
});

function presentCompute(
  hypervisors: readonly Hypervisor[],
  instances: readonly CountedInstance[],
): NonNullable<MonitoringSummary['compute']> {
  return {
    hypervisors_total: hypervisors.length,
    hypervisors_up: hypervisors.filter(({ state }) => state === 'up').length,
    vcpus_total: sum(hypervisors, ({ vcpus }) => vcpus),
    vcpus_used: sum(hypervisors, ({ vcpus_used }) => vcpus_used),
    memory_total_mb: sum(hypervisors, ({ memory_size_mb }) => memory_size_mb),
    memory_used_mb: sum(hypervisors, ({ memory_used_mb }) => memory_used_mb),
    running_vms: sum(hypervisors, ({ running_vms }) => running_vms),
    instance_stats: statsOf(instances),
    gpu_instances: countGpuInstances(instances),
  };
}

function readVolumes({ blockStorage }: BoundClient) {
  return blockStorage.volumes.listAs(({ size, status }) => ({ size, status }), { all_tenants: 1 });
}

async function readNetwork({ network }: BoundClient): Promise<NonNullable<MonitoringSummary['network']>> {
  const one = () => 1;
  const isActive = ({ status }: { status: string }) => status === 'ACTIVE';
  const [networks, routers, floatingIps, ports] = await Promise.all([
    network.networks.listFields(['id'], one),
    network.routers.listFields(
      ['id', 'status', 'admin_state_up'],
      (router) => isActive(router) && router.admin_state_up,
    ),
    network.floatingIps.listFields(['id', 'status'], isActive),
    network.ports.listFields(['id'], one),
  ]);
  return {
    network_count: networks.length,
    router_count: routers.length,
    router_active: routers.filter(Boolean).length,
    floating_ip_count: floatingIps.length,
    floating_ip_active: floatingIps.filter(Boolean).length,
    port_count: ports.length,
  };
}

function countByStatus(volumes: readonly { status: string }[]): Record<string, number> {
  const groups = Map.groupBy(volumes, ({ status }) => status);
  return Object.fromEntries([...groups].map(([status, { length }]) => [status, length]));
}

/** Null while the store is unavailable. */
async function countLiteClusters(sources: LoadSources): Promise<number | null> {
  return sources.countLiteClusters().catch(() => {
    sources.onIncomplete();
    return null;
  });
}
