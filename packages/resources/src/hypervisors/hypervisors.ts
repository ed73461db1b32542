import {
  type BoundClient,
  type HypervisorFigures,
  type HypervisorRecord,
  isTransient,
  nullIfNotFound,
} from '@gateway/openstack';
import pLimit from 'p-limit';
import { CachedList } from '../lists/cached-list.ts';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import type { Hypervisor } from './hypervisor-shape.ts';
import { isClosed } from './is-closed.ts';
import { type Processors, readProcessors, readProviderFigures } from './provider-figures.ts';

type CompleteHypervisor = Omit<HypervisorRecord, keyof HypervisorFigures> & HypervisorFigures;

export function presentHypervisor(hypervisor: CompleteHypervisor): Hypervisor {
  return {
    id: hypervisor.id,
    name: hypervisor.hypervisor_hostname,
    state: hypervisor.state,
    status: hypervisor.status,
    hypervisor_type: hypervisor.hypervisor_type,
    vcpus: hypervisor.vcpus,
    vcpus_used: hypervisor.vcpus_used,
    memory_size_mb: hypervisor.memory_mb,
    memory_used_mb: hypervisor.memory_mb_used,
    local_disk_gb: hypervisor.local_gb,
    local_disk_used_gb: hypervisor.local_gb_used,
    running_vms: hypervisor.running_vms,
  };
}

const PROVIDERS_AT_ONCE = 16;

/** Null while the placement service is unavailable. */
interface CountedHypervisor extends Hypervisor {
  /** The total of processors that are or may be allocated. */
  vcpus_allowed: number | null;
}

/**
 * All hosts, sorted by name. Makes four calls, and one for each full host. The placement service is a part,
 * so that the figures of the compute service remain without it.
 *
 * @param listed reads the hosts; null while the compute service is unavailable
 * @param onIncomplete called if the figures of a host are missing, because the placement
 * service is unavailable
 */
export async function readHypervisors<Listed extends HypervisorRecord[] | null>(
  openstack: BoundClient,
  listed: Promise<Listed>,
  parts: DashboardParts,
  onIncomplete: () => void,
): Promise<CountedHypervisor[] | (null & Listed)> {
  const { providers } = openstack.placement;
  const [records, summaries] = await Promise.all([
    listed,
    parts.read('placement', () => providers.summaries()),
  ]);
  if (records === null) return null as null & Listed;
  const complete = await pLimit(PROVIDERS_AT_ONCE).map(records, async (record) => {
    const processors =
      summaries && (await parts.read('placement', () => readProcessors(openstack, record.id, summaries)));
    const hypervisor = presentHypervisor(await withFigures(openstack, record, processors, onIncomplete));
    // Hosts that take no instances and hosts without a provider can allocate nothing more.
    const allowed = isClosed(record) ? undefined : processors?.allowed;
    const vcpus_allowed = summaries && (allowed ?? hypervisor.vcpus_used);
    return { ...hypervisor, vcpus_allowed };
  });
  return complete.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Reads figures that the compute service no longer has from the host's resource provider. They are zero for
 * a host without a provider, and if the placement service is unavailable too. The total of processors
 * includes those that are dedicated to single servers, as what the compute service counts as used does.
 */
export async function withFigures(
  openstack: BoundClient,
  record: HypervisorRecord,
  processors: Processors | null,
  onIncomplete?: () => void,
): Promise<CompleteHypervisor> {
  const known = { ...record, ...figuresOf(record) };
  if (record.vcpus !== null) {
    const { dedicated = 0, hasShared = true } = processors ?? {};
    return { ...known, vcpus: dedicated + (hasShared || dedicated === 0 ? record.vcpus : 0) };
  }
  try {
    return { ...known, ...(await nullIfNotFound(readProviderFigures(openstack, record.id))) };
  } catch (error) {
    if (!isTransient(error)) throw error;
    onIncomplete?.();
    return known;
  }
}

/** Zero for those that the compute service does not have. */
function figuresOf(record: HypervisorRecord): HypervisorFigures {
  return {
    vcpus: record.vcpus ?? 0,
    vcpus_used: record.vcpus_used ?? 0,
    memory_mb: record.memory_mb ?? 0,
    memory_mb_used: record.memory_mb_used ?? 0,
    local_gb: record.local_gb ?? 0,
    local_gb_used: record.local_gb_used ?? 0,
    running_vms: record.running_vms ?? 0,
  };
}

export const hypervisorList = new CachedList<Hypervisor[]>({
  name: 'hypervisors',
  varyBy: 'nothing',
  dependsOn: ['hypervisor', 'instance'],
  lifetime: 'adminSeconds',
  async load({ config, onIncomplete, openstack }) {
    const parts = new DashboardParts(config.timeLimits.dashboardPartSeconds * 1000, onIncomplete);
    const listed = openstack.compute.hypervisors.list();
    const hypervisors = await readHypervisors(openstack, listed, parts, onIncomplete);
    return hypervisors.map(({ vcpus_allowed: _, ...hypervisor }) => hypervisor);
  },
});
