import type { HealthStatus } from './health.ts';
import type { HealthResults } from './health-results.ts';
import type { ClusterStore } from './store.ts';

/** The number of clusters by the result of their last health check, for metrics. A cluster without one is `UNKNOWN`. */
export async function countByHealth(
  clusters: Pick<ClusterStore, 'openIds'>,
  results: Pick<HealthResults, 'getMany'>,
): Promise<Record<HealthStatus, number>> {
  const counts = { HEALTHY: 0, DEGRADED: 0, UNHEALTHY: 0, UNREACHABLE: 0, UNKNOWN: 0 };
  const ids = await clusters.openIds();
  const found = await results.getMany(ids);
  for (const id of ids) counts[found.get(id)?.status ?? 'UNKNOWN'] += 1;
  return counts;
}
