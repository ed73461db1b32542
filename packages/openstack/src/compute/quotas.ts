import { quotaUsage, updateLimits } from '../quotas.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

/** Quotas of a project and their usage. Memory in MiB. */
const computeQuotas = declareRecord('compute', 'quotas', {
  instances: quotaUsage(),
  cores: quotaUsage(),
  ram: quotaUsage(),
  /** The limit applies to each user, so the service always reports 0 in use. */
  key_pairs: quotaUsage(),
  server_groups: quotaUsage(),
});

export type ComputeQuotas = RecordOf<typeof computeQuotas>;

/** The limits that an update changes. */
type ComputeQuotaLimits = Partial<Record<'instances' | 'cores' | 'ram', number>>;

export class ComputeQuotasClient {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  /** Users may read the quotas of their own project, administrators those of any project. */
  get(projectId: string): Promise<ComputeQuotas> {
    return this.#compute.getRecord(
      'quotas.get',
      path`/os-quota-sets/${projectId}/detail`,
      'quota_set',
      computeQuotas,
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
