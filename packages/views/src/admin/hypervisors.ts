import {
  type BoundClient,
  type HypervisorFigures,
  type HypervisorRecord,
  isTransient,
} from '@gateway/openstack';
import pLimit from 'p-limit';
import { CachedList } from '../cached-list.ts';
import { readProviderFigures } from './provider-figures.ts';

export interface Hypervisor {
  id: string;
  name: string;
  /** `up` or `down`. */
  state: string;
  /** `enabled` or `disabled`. */
  status: string;
  hypervisor_type: string;
  vcpus: number;
  vcpus_used: number;
  memory_size_mb: number;
  memory_used_mb: number;
  local_disk_gb: number;
  local_disk_used_gb: number;
  running_vms: number;
}

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

/**
 * All hosts, sorted by name. Makes one call if the compute service has their figures.
 *
 * @param onIncomplete called if the figures of a host are missing, because the placement
 * service is unavailable
 */
export async function readHypervisors(
  openstack: BoundClient,
  onIncomplete: () => void,
): Promise<Hypervisor[]> {
  const records = await openstack.compute.hypervisors.list();
  const limit = pLimit(PROVIDERS_AT_ONCE);
  const complete = await limit.map(records, (record) => withFigures(openstack, record, onIncomplete));
  return complete.map(presentHypervisor).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Reads figures that the compute service no longer has from the host's resource provider. They are zero if
 * the placement service is unavailable too.
 */
export async function withFigures(
  openstack: BoundClient,
  record: HypervisorRecord,
  onIncomplete?: () => void,
): Promise<CompleteHypervisor> {
  const known = { ...record, ...figuresOf(record) };
  if (record.vcpus !== null) return known;
  try {
    return { ...known, ...(await readProviderFigures(openstack, record.id)) };
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
  load: ({ onIncomplete, openstack }) => readHypervisors(openstack, onIncomplete),
});
