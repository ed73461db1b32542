import { anyObjectOrNull, integerOr, integerOrNull, key, part, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

/** A host's capacity and its usage by servers. */
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

const hypervisorRecord = declareRecord('compute', 'hypervisor', {
  /** A UUID, which is also the id of the host's resource provider. */
  id: key(),
  hypervisor_hostname: text(),
  /** `up` or `down`. */
  state: text('unknown'),
  /** `enabled` or `disabled`. */
  status: text('unknown'),
  hypervisor_type: text(),
  hypervisor_version: integerOr(0),
  host_ip: text(),
  /** The process of the compute service; `host` is null if the service does not say it. */
  service: part({ id: text(), host: textOrNull(), disabled_reason: textOrNull() }),
  /** Null with some drivers, as which it may also be a text. */
  cpu_info: anyObjectOrNull(),
  /** The figures; null since microversion 2.88. */
  vcpus: integerOrNull(),
  vcpus_used: integerOrNull(),
  memory_mb: integerOrNull(),
  memory_mb_used: integerOrNull(),
  local_gb: integerOrNull(),
  local_gb_used: integerOrNull(),
  running_vms: integerOrNull(),
});

export type HypervisorRecord = RecordOf<typeof hypervisorRecord>;

const hypervisorUptime = declareRecord('compute', 'hypervisor_uptime', { uptime: text() });

/** The hosts of servers; for administrators. */
export class Hypervisors {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  list(): Promise<HypervisorRecord[]> {
    return this.#compute.list('hypervisors.list', '/os-hypervisors/detail', 'hypervisors', hypervisorRecord);
  }

  /** Throws a 400 for an id that is not a UUID. */
  get(id: string): Promise<HypervisorRecord> {
    return this.#compute.getRecord(
      'hypervisors.get',
      path`/os-hypervisors/${id}`,
      'hypervisor',
      hypervisorRecord,
    );
  }

  /**
   * A line of text. The service asks the host, and fails if the host is down or its driver
   * does not support this.
   */
  async uptime(id: string): Promise<string> {
    const { uptime } = await this.#compute.getRecord(
      'hypervisors.uptime',
      path`/os-hypervisors/${id}/uptime`,
      'hypervisor',
      hypervisorUptime,
    );
    return uptime;
  }
}
