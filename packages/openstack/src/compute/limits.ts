import type { ServiceClient } from '../service.ts';

/** The project's quotas and usage; a quota of -1 is unlimited. Memory in MiB. */
export interface ComputeLimits {
  maxTotalInstances: number;
  maxTotalCores: number;
  maxTotalRAMSize: number;
  maxTotalKeypairs: number;
  maxServerGroups: number;
  maxServerGroupMembers: number;
  maxServerMeta: number;
  totalInstancesUsed: number;
  totalCoresUsed: number;
  totalRAMUsed: number;
  totalServerGroupsUsed: number;
}

/** Selects another project. For administrators. */
type ComputeLimitsQuery = { tenant_id?: string };

export class ComputeLimitsReader {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  async get(query?: ComputeLimitsQuery): Promise<ComputeLimits> {
    const { absolute } = await this.#compute.getRecord<{ absolute: ComputeLimits }>(
      'limits.get',
      '/limits',
      'limits',
      query,
    );
    return absolute;
  }
}
