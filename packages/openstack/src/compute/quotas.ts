import { path } from '../path.ts';
import { type QuotaUsage, updateLimits } from '../quotas.ts';
import type { ServiceClient } from '../service.ts';

/** Quotas of a project and their usage. Memory in MiB. */
export interface ComputeQuotas {
  instances: QuotaUsage;
  cores: QuotaUsage;
  ram: QuotaUsage;
  /** The limit applies to each user, so the service always reports 0 in use. */
  key_pairs: QuotaUsage;
  server_groups: QuotaUsage;
}

/** The limits that an update changes. */
type ComputeQuotaLimits = Partial<Record<'instances' | 'cores' | 'ram', number>>;

export class ComputeQuotasClient {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  /** Users may read the quotas of their own project, administrators those of any project. */
  get(projectId: string): Promise<ComputeQuotas> {
    return this.#compute.getRecord<ComputeQuotas>(
      'quotas.get',
      path`/os-quota-sets/${projectId}/detail`,
      'quota_set',
    );
  }

  /**
   * For administrators. Memory in MiB; -1 is unlimited.
   * @param options.force accepts limits below the usage; without it the service throws a 400
   * @throws 409 if the limits are kept elsewhere, as in the identity service (unified limits)
   */
  update(projectId: string, limits: ComputeQuotaLimits, { force = false } = {}): Promise<void> {
    const url = path`/os-quota-sets/${projectId}`;
    return updateLimits(this.#compute, { path: url, key: 'quota_set', limits, force });
  }
}
