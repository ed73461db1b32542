import { path } from '../path.ts';
import { type QuotaUsage, underOwnNames, underUniqueNames, updateLimits } from '../quotas.ts';
import type { ServiceClient } from '../service.ts';

/** Quotas of a project by resource (`port`, `floatingip`, …), without resources of missing extensions. */
export type NetworkQuotas = Record<string, NetworkQuota | undefined>;

export interface NetworkQuota {
  /** -1 is unlimited. */
  limit: number;
  used: number;
  /** Reserved by requests in progress. */
  reserved: number;
}

const NAMES = {
  networks: 'network',
  subnets: 'subnet',
  ports: 'port',
  routers: 'router',
  floating_ips: 'floatingip',
  security_groups: 'security_group',
  security_group_rules: 'security_group_rule',
} as const;

export type NetworkQuotaName = keyof typeof NAMES;

export class NetworkQuotasClient {
  readonly #network: ServiceClient;

  constructor(network: ServiceClient) {
    this.#network = network;
  }

  /** Users may read the quotas of their own project, administrators those of any project. */
  get(projectId: string): Promise<NetworkQuotas> {
    return this.#network.getRecord<NetworkQuotas>(
      'quotas.get',
      path`/quotas/${projectId}/details.json`,
      'quota',
    );
  }

  async getUsage(projectId: string): Promise<Record<NetworkQuotaName, QuotaUsage>> {
    const quotas = Object.entries(await this.get(projectId)).map(([name, quota]) => [
      name,
      quota && { limit: quota.limit, in_use: quota.used, reserved: quota.reserved },
    ]);
    return underUniqueNames(NAMES, Object.fromEntries(quotas));
  }

  /** For administrators; -1 is unlimited. Newer releases throw a 400 for a limit below the usage. */
  update(projectId: string, limits: Partial<Record<NetworkQuotaName, number>>): Promise<void> {
    const url = path`/quotas/${projectId}`;
    return updateLimits(this.#network, { path: url, key: 'quota', limits: underOwnNames(NAMES, limits) });
  }
}
