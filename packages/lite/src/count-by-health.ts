import type { HealthResults } from './health-results.ts';
import type { LiteClusterHealth } from './health-shape.ts';
import type { HealthStatus } from './health-statuses.ts';
import type { LiteClusterStore } from './store.ts';

const DAY_MS = 86_400_000;
const EXPIRING_MS = 30 * DAY_MS;

interface LiteClusterCounts {
  /**
   * The number of clusters by the result of their last health check. Clusters without a result are `UNKNOWN`.
   */
  byHealth: Record<HealthStatus, number>;
  /** Clusters with a certificate that expires within 30 days, or has expired. */
  certificatesExpiring: number;
  /** Days until the first certificate of any cluster ends, negative afterwards; null without a known end. */
  certificateDaysLeft: number | null;
}

/** Whether a certificate expires within 30 days, or has expired. */
export function isExpiring({ certificate_expires_at: end }: LiteClusterHealth, now: number): boolean {
  return end !== null && Date.parse(end) < now + EXPIRING_MS;
}

/** Counts the clusters that are not DELETED, for metrics. @param now in milliseconds since the epoch */
export async function countByHealth(
  clusters: Pick<LiteClusterStore, 'openIds'>,
  results: Pick<HealthResults, 'getMany'>,
  now: number,
): Promise<LiteClusterCounts> {
  const byHealth = { HEALTHY: 0, DEGRADED: 0, UNHEALTHY: 0, UNREACHABLE: 0, UNKNOWN: 0 };
  const ids = await clusters.openIds();
  const found = await results.getMany(ids);
  for (const id of ids) byHealth[found.get(id)?.status ?? 'UNKNOWN'] += 1;
  const expiring = [...found.values()].filter((health) => isExpiring(health, now));
  const ends = [...found.values()].flatMap(({ certificate_expires_at: end }) => (end === null ? [] : [end]));
  const first = ends.sort()[0];
  return {
    byHealth,
    certificatesExpiring: expiring.length,
    certificateDaysLeft: first === undefined ? null : (Date.parse(first) - now) / DAY_MS,
  };
}
