import { path } from '../path.ts';
import { type QuotaUsage, underOwnNames, underUniqueNames, updateLimits } from '../quotas.ts';
import { integerOr, partOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

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

/** Null for the resource of an extension that the cloud lacks. */
function quota() {
  return partOrNull({
    /** -1 is unlimited. */
    limit: integerOr(-1),
    used: integerOr(0),
    /** Reserved by requests in progress. */
    reserved: integerOr(0),
  });
}

/** The quotas of a project. */
const quotasRecord = declareRecord('network', 'quotas', {
  network: quota(),
  subnet: quota(),
  port: quota(),
  router: quota(),
  floatingip: quota(),
  security_group: quota(),
  security_group_rule: quota(),
});

export type NetworkQuotas = RecordOf<typeof quotasRecord>;
export type NetworkQuota = NonNullable<NetworkQuotas['port']>;

export class NetworkQuotasClient {
  readonly #network: ServiceClient;

  constructor(network: ServiceClient) {
    this.#network = network;
  }

  /** Users may read the quotas of their own project, administrators those of any project. */
  get(projectId: string): Promise<NetworkQuotas> {
    return this.#network.getRecord(
      'quotas.get',
      path`/quotas/${projectId}/details.json`,
      'quota',
      quotasRecord,
    );
  }

  async getUsage(projectId: string): Promise<Record<NetworkQuotaName, QuotaUsage>> {
    const quotas = Object.entries(await this.get(projectId)).map(([name, quota]) => [
      name,
      quota === null ? undefined : { limit: quota.limit, in_use: quota.used, reserved: quota.reserved },
    ]);
    return underUniqueNames(NAMES, Object.fromEntries(quotas));
  }

  /** For administrators; -1 is unlimited. Newer releases throw a 400 for a limit below the usage. */
  update(projectId: string, limits: Partial<Record<NetworkQuotaName, number>>): Promise<void> {
    const url = path`/quotas/${projectId}`;
    return updateLimits(this.#network, { path: url, key: 'quota', limits: underOwnNames(NAMES, limits) });
  }
}
