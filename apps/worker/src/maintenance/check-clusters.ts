import { isHealthCheckDue } from '@gateway/lite';
import pLimit from 'p-limit';
import type { WorkerContext } from '../context.ts';
import { checkHealth } from '../lite-cluster-checks/check-health.ts';

/** Each cluster that hangs takes a slot for two time limits of a request. */
const CONCURRENCY = 20;

/** Checks the health of the ACTIVE clusters whose last result is older than the interval. */
export async function checkClusters(worker: WorkerContext): Promise<void> {
  const { liteClusters, liteClusterHealth, config, logger, stopping } = worker;
  if (!config.services.lite) return;
  const ids = await liteClusters.openIds();
  const results = await liteClusterHealth.getMany(ids);
  const intervalMs = config.lite.health.intervalSeconds * 1000;
  const now = Date.now();
  const due = ids.filter((id) => isHealthCheckDue(id, results.get(id) ?? null, { intervalMs, now }));
  await pLimit(CONCURRENCY).map(due, async (id) => {
    if (stopping.signal.aborted) return;
    try {
      const cluster = await liteClusters.read(id);
      if (cluster?.status === 'ACTIVE') await checkHealth(worker, cluster);
    } catch (error) {
      logger.warn('The health of a cluster could not be checked', { cluster_id: id, error });
    }
  });
}
