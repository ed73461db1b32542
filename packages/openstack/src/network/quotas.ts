import { type QuotaUsage, underOwnNames, underUniqueNames, updateLimits } from '../quotas.ts';
import { integerOr, partOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';
import { Extensions } from './extensions.ts';
import type { NetworkFilters } from './filters.ts';
import { FloatingIps } from './floating-ips.ts';
import { Networks } from './networks.ts';
import { Ports } from './ports.ts';
import { Routers } from './routers.ts';
import { SecurityGroupRules, SecurityGroups } from './security-groups.ts';
import { Subnets } from './subnets.ts';

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

/** The limits of a project alone. One that the service does not say limits nothing. */
const limitsRecord = declareRecord('network', 'quota_limits', {
  network: integerOr(-1),
  subnet: integerOr(-1),
  port: integerOr(-1),
  router: integerOr(-1),
  floatingip: integerOr(-1),
  security_group: integerOr(-1),
  security_group_rule: integerOr(-1),
});

export type NetworkQuotas = RecordOf<typeof quotasRecord>;
export type NetworkQuota = NonNullable<NetworkQuotas['port']>;

export class NetworkQuotasClient {
  readonly #network: ServiceClient;

  constructor(network: ServiceClient) {
    this.#network = network;
  }

  /**
   * Users may read the quotas of their own project, administrators those of any project. With some drivers of
   * quotas the service does not say what is in use, so its resources are counted.
   */
  get(projectId: string): Promise<NetworkQuotas> {
    const details = this.#network.getRecord(
      'quotas.get',
      path`/quotas/${projectId}/details.json`,
      'quota',
      quotasRecord,
    );
    const count = () => this.#count(projectId);
    return new Extensions(this.#network).unlessLacking('quota_details', details, count);
  }

  async #count(project_id: string): Promise<NetworkQuotas> {
    const network = this.#network;
    const [limits, ...counts] = await Promise.all([
      network.getRecord('quotas.getLimits', path`/quotas/${project_id}`, 'quota', limitsRecord),
      countOf('network', new Networks(network), project_id),
      countOf('subnet', new Subnets(network), project_id),
      countOf('port', new Ports(network), project_id),
      countOf('router', new Routers(network), project_id),
      countOf('floatingip', new FloatingIps(network), project_id),
      countOf('security_group', new SecurityGroups(network), project_id),
      countOf('security_group_rule', new SecurityGroupRules(network), project_id),
    ]);
    const quotas = counts.map(([name, used]) => [name, { limit: limits[name], used, reserved: 0 }]);
    return Object.fromEntries(quotas);
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

interface Counted {
  listFields(
    fields: readonly ['id'],
    present: ({ id }: { id: string }) => string,
    query: NetworkFilters,
  ): Promise<string[]>;
}

async function countOf(
  name: keyof NetworkQuotas,
  list: Counted,
  project_id: string,
): Promise<[name: keyof NetworkQuotas, used: number]> {
  const ids = await list.listFields(['id'], ({ id }) => id, { project_id });
  return [name, ids.length];
}
