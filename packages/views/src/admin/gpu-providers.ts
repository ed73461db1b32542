import type { GpuConfig } from '@gateway/config';
import { gpuDeviceOf } from '@gateway/gpu';
import type { BoundClient, ProviderRecord, ProviderSummary } from '@gateway/openstack';

/** The GPUs of one resource class at one resource provider. */
export interface Gpu {
  provider_name: string;
  provider_uuid: string;
  /** The end of the provider's name; `host-level` if the host itself provides the GPUs. */
  pci_address: string;
  resource_class: string;
  vendor_id: string | null;
  vendor_name: string | null;
  device_id: string | null;
  device_name: string;
  total: number;
  used: number;
  allocation_ratio: number;
  reserved: number;
}

/** GPUs with the root of their provider's tree, which is the host. */
export interface HostGpus {
  host: ProviderRecord;
  gpus: Gpu[];
}

const CONCURRENT_READS = 8;

/**
 * Reads the GPUs of all hosts. Placement lists the resources of many providers at once only as capacities,
 * and omits full hosts. So this takes four calls, one more for each provider with GPUs, and two for each
 * provider of a full host.
 */
export async function readGpuProviders(
  { placement }: Pick<BoundClient, 'placement'>,
  devices: GpuConfig['devices'],
): Promise<HostGpus[]> {
  const [providers, summaries] = await Promise.all([
    placement.providers.list(),
    placement.providers.summaries(),
  ]);
  const byId = new Map(providers.map((provider) => [provider.uuid, provider]));
  const mayHaveGpus = (summary: ProviderSummary | undefined) =>
    summary === undefined || Object.keys(summary.resources).some((name) => gpuDeviceOf(name, devices));
  const rest = providers.filter(({ uuid }) => mayHaveGpus(summaries.get(uuid)));
  const hosts = new Map<string, HostGpus>();
  const readNext = async (): Promise<void> => {
    for (let provider = rest.pop(); provider !== undefined; provider = rest.pop()) {
      const { uuid, root_provider_uuid } = provider;
      const summary = summaries.get(uuid);
      const [inventories, usages] = await Promise.all([
        placement.providers.inventories(uuid),
        summary === undefined ? placement.providers.usages(uuid) : usagesOf(summary),
      ]);
      for (const [resourceClass, inventory] of Object.entries(inventories)) {
        const device = gpuDeviceOf(resourceClass, devices);
        if (device === null || inventory.total === 0) continue;
        const host = byId.get(root_provider_uuid) ?? provider;
        const found = hosts.get(host.uuid) ?? { host, gpus: [] };
        hosts.set(host.uuid, found);
        const used = usages[resourceClass] ?? 0;
        found.gpus.push(presentGpu(provider, resourceClass, device, { ...inventory, used }));
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_READS }, readNext));
  for (const { gpus } of hosts.values()) gpus.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return [...hosts.values()].sort((a, b) => (a.host.name < b.host.name ? -1 : 1));
}

function usagesOf({ resources }: ProviderSummary): Record<string, number> {
  return Object.fromEntries(Object.entries(resources).map(([name, { used }]) => [name, used]));
}

function sortKey({ provider_name, resource_class }: Gpu): string {
  return `${provider_name}\n${resource_class}`;
}

/** The compute service composes the provider's name of a PCI device from its host and address. */
const PCI_SUFFIX = /_(?<address>[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f])$/i;

function presentGpu(
  { name, uuid, parent_provider_uuid }: ProviderRecord,
  resourceClass: string,
  device: NonNullable<ReturnType<typeof gpuDeviceOf>>,
  { total, used, allocation_ratio, reserved }: Pick<Gpu, 'total' | 'used' | 'allocation_ratio' | 'reserved'>,
): Gpu {
  const address = PCI_SUFFIX.exec(name)?.groups?.address;
  const tail = name.slice(name.lastIndexOf('_') + 1);
  return {
    provider_name: name,
    provider_uuid: uuid,
    pci_address: address ?? (parent_provider_uuid === null ? 'host-level' : tail),
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

/** The name of a host without the address of a PCI device. */
export function hostNameOf(name: string): string {
  return name.replace(PCI_SUFFIX, '');
}
