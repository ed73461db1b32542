import { gpuDeviceOf, parseProviderName } from '@gateway/inventory';
import {
  type BoundClient,
  nullIfNotFound,
  type ProviderRecord,
  type ProviderSummary,
} from '@gateway/openstack';
import type { GpuConfig } from '@gateway/platform';
import pLimit from 'p-limit';
import { readClosedHosts } from './closed-hosts.ts';
import type { Gpu } from './gpu-hosts-shape.ts';

/** GPUs with the root of their provider's tree, which is the host. */
export interface HostGpus {
  host: ProviderRecord;
  /** Whether the host takes instances: it is enabled and up. */
  takesInstances: boolean;
  gpus: Gpu[];
}

const CONCURRENT_READS = 8;

/** A resource provider that may have GPUs. */
export interface GpuProvider {
  provider: ProviderRecord;
  /** The root of its tree. */
  host: ProviderRecord;
  takesInstances: boolean;
  /** Undefined for a provider of a full host. */
  summary: ProviderSummary | undefined;
}

/**
 * Calls `read` with each provider that may have GPUs, and with all providers of full hosts, several at once.
 * Placement lists the resources of many providers at once only as capacities, and omits full hosts. This
 * takes four calls, and one of the compute service.
 *
 * @param onIncomplete called if the compute service is unavailable, so that hosts that are down count as up
 */
export async function forEachGpuProvider(
  openstack: Pick<BoundClient, 'compute' | 'placement'>,
  devices: GpuConfig['devices'],
  onIncomplete: () => void,
  read: (provider: GpuProvider) => Promise<void>,
): Promise<void> {
  const { providers } = openstack.placement;
  const [records, summaries] = await Promise.all([providers.list(), providers.summaries()]);
  const mayHaveGpus = ({ name, uuid }: ProviderRecord) => {
    const summary = summaries.get(uuid);
    if (summary === undefined) return true;
    return Object.keys(summary.resources).some((resource) => gpuDeviceOf(resource, devices, name));
  };
  const byId = new Map(records.map((provider) => [provider.uuid, provider]));
  const found = records.filter(mayHaveGpus).map((provider) => ({
    provider,
    host: byId.get(provider.root_provider_uuid) ?? provider,
    summary: summaries.get(provider.uuid),
  }));
  if (found.length === 0) return;
  const hostIds = found.map(({ host }) => host.uuid);
  const closed = await readClosedHosts(openstack, hostIds, summaries, onIncomplete);
  await pLimit(CONCURRENT_READS).map(found, (each) =>
    read({ ...each, takesInstances: !closed.has(each.host.uuid) }),
  );
}

/** Makes one more call for each provider with GPUs, and two for each provider of a full host. */
export async function readGpuProviders(
  openstack: Pick<BoundClient, 'compute' | 'placement'>,
  devices: GpuConfig['devices'],
  onIncomplete: () => void,
): Promise<HostGpus[]> {
  const { providers } = openstack.placement;
  const hosts = new Map<string, HostGpus>();
  await forEachGpuProvider(
    openstack,
    devices,
    onIncomplete,
    async ({ provider, host, takesInstances, summary }) => {
      const { name, uuid } = provider;
      const [inventories, usages] = await Promise.all([
        nullIfNotFound(providers.inventories(uuid)),
        summary === undefined ? nullIfNotFound(providers.usages(uuid)) : usagesOf(summary),
      ]);
      // Either is null for a provider that has been removed since the list was read.
      for (const [resourceClass, inventory] of Object.entries(inventories ?? {})) {
        const device = gpuDeviceOf(resourceClass, devices, name);
        if (device === null || inventory.total === 0) continue;
        const found = hosts.get(host.uuid) ?? { host, takesInstances, gpus: [] };
        hosts.set(host.uuid, found);
        const used = usages?.[resourceClass] ?? 0;
        found.gpus.push(presentGpu(provider, host, resourceClass, device, { ...inventory, used }));
      }
    },
  );
  for (const { gpus } of hosts.values()) gpus.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return [...hosts.values()].sort((a, b) => (a.host.name < b.host.name ? -1 : 1));
}

function usagesOf({ resources }: ProviderSummary): Record<string, number> {
  return Object.fromEntries(Object.entries(resources).map(([name, { used }]) => [name, used]));
}

function sortKey({ provider_name, resource_class }: Gpu): string {
  return `${provider_name}\n${resource_class}`;
}

function presentGpu(
  { name, uuid }: ProviderRecord,
  host: ProviderRecord,
  resourceClass: string,
  device: NonNullable<ReturnType<typeof gpuDeviceOf>>,
  { total, used, allocation_ratio, reserved }: Pick<Gpu, 'total' | 'used' | 'allocation_ratio' | 'reserved'>,
): Gpu {
  return {
    provider_name: name,
    provider_uuid: uuid,
    pci_address: parseProviderName(name).pciAddress ?? tailOf(name, host),
    resource_class: resourceClass,
    vendor_id: device.vendor_id,
    vendor_name: device.vendor,
    device_id: device.device_id,
    device_name: device.device_name,
    total,
    used,
    allocation_ratio,
    reserved,
  };
}

/** What follows the name of the host, which may itself have underscores. */
function tailOf(name: string, host: ProviderRecord): string {
  if (name === host.name) return 'host-level';
  return name.startsWith(`${host.name}_`) ? name.slice(host.name.length + 1) : name;
}
