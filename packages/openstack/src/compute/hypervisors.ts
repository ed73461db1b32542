import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

/** A host's capacity and its usage by servers; absent since microversion 2.88. */
export interface HypervisorFigures {
  vcpus: number;
  vcpus_used: number;
  /** MiB. */
  memory_mb: number;
  memory_mb_used: number;
  /** GiB. */
  local_gb: number;
  local_gb_used: number;
  running_vms: number;
}

export interface HypervisorRecord extends Partial<HypervisorFigures> {
  /** A UUID, which is also the id of the host's resource provider. */
  id: string;
  hypervisor_hostname: string;
  /** `up` or `down`. */
  state: string;
  /** `enabled` or `disabled`. */
  status: string;
  hypervisor_type: string;
  hypervisor_version: number;
  host_ip: string;
  service: { id: string; host: string; disabled_reason: string | null };
  /** Absent with some drivers. */
  cpu_info?: Record<string, unknown> | string | null;
}

/** The hosts of servers; for administrators. */
export class Hypervisors {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  list(): Promise<HypervisorRecord[]> {
    return this.#compute.list('hypervisors.list', '/os-hypervisors/detail', 'hypervisors');
  }

  /** Throws a 400 for an id that is not a UUID. */
  get(id: string): Promise<HypervisorRecord> {
    return this.#compute.getRecord('hypervisors.get', path`/os-hypervisors/${id}`, 'hypervisor');
  }

  /**
   * A line of text. The service asks the host, and fails if the host is down or its driver
   * does not support this.
   */
  async uptime(id: string): Promise<string> {
    const { uptime } = await this.#compute.getRecord<{ uptime: string }>(
      'hypervisors.uptime',
      path`/os-hypervisors/${id}/uptime`,
      'hypervisor',
    );
    return uptime;
  }
}
