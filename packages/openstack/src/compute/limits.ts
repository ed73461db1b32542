import type { ServiceClient } from '../service.ts';

/** Quotas of the project and what it uses of them; -1 is unlimited. Memory in MiB. */
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

/** Another project's, for administrators. */
export type ComputeLimitsQuery = { tenant_id?: string };

export class ComputeLimitsReader {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  async get(query?: ComputeLimitsQuery): Promise<ComputeLimits> {
    const answer = await this.#compute.get<{ limits: { absolute: ComputeLimits } }>(
      'limits.get',
      '/limits',
      query,
    );
    return answer.limits.absolute;
  }
}
