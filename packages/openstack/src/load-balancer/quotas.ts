import { type QuotaUsage, underOwnNames, underUniqueNames, updateLimits } from '../quotas.ts';
import { integerOr, item, listOf, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';
import { LBAAS } from './record.ts';

const NAMES = {
  load_balancers: 'load_balancer',
  listeners: 'listener',
  pools: 'pool',
  members: 'member',
  health_monitors: 'health_monitor',
} as const;

export type LoadBalancerQuotaName = keyof typeof NAMES;

/** The quotas of a project. */
const quotasRecord = declareRecord('loadBalancer', 'quotas', {
  load_balancer: integerOr(-1),
  listener: integerOr(-1),
  pool: integerOr(-1),
  member: integerOr(-1),
  health_monitor: integerOr(-1),
});

type Limits = RecordOf<typeof quotasRecord>;
type LimitName = keyof Limits;

function hasLimit(limits: Limits, names: readonly LimitName[]): boolean {
  return names.some((name) => limits[name] > 0);
}

/** A row that counts against a quota. Only pools have members. */
const countedRecord = declareRecord('loadBalancer', 'counted', { members: listOf(item({ id: text() })) });

export class LoadBalancerQuotas {
  readonly #service: ServiceClient;

  constructor(service: ServiceClient) {
    this.#service = service;
  }

  /**
   * Limits and usage. The service does not say what is in use, so its resources are counted. Members see
   * their own project, administrators any.
   * @param options.onlyLimited counts nothing that has no limit, for which 0 are in use then
   */
  async getUsage(
    project_id: string,
    { onlyLimited = false } = {},
  ): Promise<Record<LoadBalancerQuotaName, QuotaUsage>> {
    const quotasUrl = LBAAS + path`/quotas/${project_id}`;
    const reading = this.#service.getRecord('quotas.get', quotasUrl, 'quota', quotasRecord);
    const list = async (plural: string, noun: string, counts: LimitName[], fields = ['project_id']) => {
      if (onlyLimited && !hasLimit(await reading, counts)) return [];
      const url = `${LBAAS}/${plural}`;
      return this.#service.list(`${noun}.list`, url, plural, countedRecord, { project_id, fields });
    };
    const [limits, loadBalancers, listeners, pools, monitors] = await Promise.all([
      reading,
      list('loadbalancers', 'loadBalancers', ['load_balancer']),
      list('listeners', 'listeners', ['listener']),
      list('pools', 'pools', ['pool', 'member'], ['project_id', 'members']),
      list('healthmonitors', 'healthMonitors', ['health_monitor']),
    ]);
    const used = {
      load_balancer: loadBalancers.length,
      listener: listeners.length,
      pool: pools.length,
      member: pools.reduce((sum, { members }) => sum + members.length, 0),
      health_monitor: monitors.length,
    };
    const quotas = Object.entries(used).map(([name, in_use]) => [
      name,
      { limit: limits[name as keyof typeof used], in_use, reserved: 0 },
    ]);
    return underUniqueNames(NAMES, Object.fromEntries(quotas));
  }

  /** For administrators; -1 is unlimited. The service accepts limits below the usage. */
  update(projectId: string, limits: Partial<Record<LoadBalancerQuotaName, number>>): Promise<void> {
    const url = LBAAS + path`/quotas/${projectId}`;
    return updateLimits(this.#service, { path: url, key: 'quota', limits: underOwnNames(NAMES, limits) });
  }
}
