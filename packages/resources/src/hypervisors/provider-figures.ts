import {
  type BoundClient,
  nullIfNotFound,
  type ProviderInventory,
  type ProviderSummary,
} from '@gateway/openstack';

type Inventories = Record<string, ProviderInventory>;

const SHARED = 'VCPU';
const DEDICATED = 'PCPU';
const CPU_CLASSES = [SHARED, DEDICATED];

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

/** A host's processors, as its resource provider has them. */
export interface Processors {
  /** Whether servers can share some of them. */
  hasShared: boolean;
  /** How many are dedicated to single servers, which the compute service leaves out of its totals. */
  dedicated: number;
  /** The total that may be allocated. */
  allowed: number;
}

/** Null without a provider. Makes a call only for a host that is full, and so missing in the summaries. */
export async function readProcessors(
  { placement }: BoundClient,
  id: string,
  summaries: ReadonlyMap<string, ProviderSummary>,
): Promise<Processors | null> {
  const summary = summaries.get(id);
  if (summary === undefined) {
    const inventories = await nullIfNotFound(placement.providers.inventories(id));
    return inventories && processorsOf(inventories);
  }
  const { resources } = summary;
  return {
    hasShared: SHARED in resources,
    // The compute service sets their ratio to 1, and reserves none.
    dedicated: resources[DEDICATED]?.capacity ?? 0,
    allowed: sum(CPU_CLASSES, (name) => resources[name]?.capacity),
  };
}

export function processorsOf(inventories: Inventories): Processors {
  return {
    hasShared: SHARED in inventories,
    dedicated: inventories[DEDICATED]?.total ?? 0,
    allowed: allowedOf(inventories, CPU_CLASSES),
  };
}

function sum(classes: readonly string[], value: (name: string) => number | undefined): number {
  return classes.reduce((total, name) => total + (value(name) ?? 0), 0);
}
