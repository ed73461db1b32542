import type { JobFailure } from '@gateway/jobs';
import type { JobContext } from '../jobs/job-context.ts';
import { checkHealthAfterChange } from '../lite-cluster-checks/check-health.ts';

/**
 * The outcome of a change of an ACTIVE cluster. The cluster stays ACTIVE, and its record says why the
 * last change failed. Its health covers its current nodes and
 * programs.
 */
export async function recordClusterChange(
  {
    worker,
    payload,
  }: Pick<
    JobContext<'lite.credential' | 'lite.repair' | 'lite.scale' | 'lite.upgrade'>,
    'worker' | 'payload'
  >,
  failure: JobFailure | null,
): Promise<void> {
  const cluster = await worker.liteClusters.read(payload.clusterId);
  if (cluster === null) return;
  const isActive = await worker.liteClusters.update(cluster, { statusReason: failure?.detail ?? null }, [
    'ACTIVE',
  ]);
  if (isActive) await checkHealthAfterChange(worker, cluster);
}
