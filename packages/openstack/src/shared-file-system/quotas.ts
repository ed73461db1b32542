import { type QuotaUsage, quotaUsage, underOwnNames, underUniqueNames, updateLimits } from '../quotas.ts';
import { declareRecord } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

const NAMES = {
  shares: 'shares',
  share_gigabytes: 'gigabytes',
  share_snapshots: 'snapshots',
  share_snapshot_gigabytes: 'snapshot_gigabytes',
  share_networks: 'share_networks',
} as const;

export type ShareQuotaName = keyof typeof NAMES;

/** A quota that the service does not say limits nothing. */
const shareQuotas = declareRecord('sharedFileSystem', 'quotas', {
  shares: quotaUsage(),
  gigabytes: quotaUsage(),
  snapshots: quotaUsage(),
  snapshot_gigabytes: quotaUsage(),
  share_networks: quotaUsage(),
});

/** Quotas of any project, for administrators. Sizes in GiB. */
export class ShareQuotasClient {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  async getUsage(projectId: string): Promise<Record<ShareQuotaName, QuotaUsage>> {
    const url = path`/quota-sets/${projectId}/detail`;
    const quotas = await this.#sharedFileSystem.getRecord('quotas.get', url, 'quota_set', shareQuotas);
    return underUniqueNames(NAMES, quotas);
  }

  /**
   * @param options.force accepts limits below the usage; without it the service throws a 400
   */
  update(
    projectId: string,
    limits: Partial<Record<ShareQuotaName, number>>,
    { force = false } = {},
  ): Promise<void> {
    const url = path`/quota-sets/${projectId}`;
    const own = underOwnNames(NAMES, limits);
    return updateLimits(this.#sharedFileSystem, { path: url, key: 'quota_set', limits: own, force });
  }
}
