import type { BoundClient, ProviderInventory } from '@gateway/openstack';

type Inventories = Record<string, ProviderInventory>;

/** Shared processors, and processors that are dedicated to one server. */
export const CPU_CLASSES = ['VCPU', 'PCPU'];

/** A host's resources and their allocation. Makes two calls concurrently. */
export async function readProviderFigures({ placement }: BoundClient, id: string) {
  const [inventories, usages] = await Promise.all([
    placement.providers.inventories(id),
    placement.providers.usages(id),
  ]);
  const total = (...classes: string[]) => sum(classes, (name) => inventories[name]?.total);
  const used = (...classes: string[]) => sum(classes, (name) => usages[name]);
  return {
    vcpus: total(...CPU_CLASSES),
    vcpus_used: used(...CPU_CLASSES),
    memory_mb: total('MEMORY_MB'),
    memory_mb_used: used('MEMORY_MB'),
    local_gb: total('DISK_GB'),
    local_gb_used: used('DISK_GB'),
  };
}

/** The total of these resources that may be allocated. */
export function allowedOf(inventories: Inventories, classes: readonly string[]): number {
  return sum(classes, (name) => {
    const inventory = inventories[name];
    return inventory && Math.floor((inventory.total - inventory.reserved) * inventory.allocation_ratio);
  });
}

function sum(classes: readonly string[], value: (name: string) => number | undefined): number {
  return classes.reduce((total, name) => total + (value(name) ?? 0), 0);
}
