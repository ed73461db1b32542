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
    call,
    worker,
    payload,
  }: Pick<
    JobContext<'lite.credential' | 'lite.repair' | 'lite.scale' | 'lite.upgrade'>,
    'call' | 'worker' | 'payload'
  >,
  failure: JobFailure | null,
): Promise<void> {
  const liteClusters = worker.liteClusters.forRun(call);
  const cluster = await liteClusters.read(payload.clusterId);
  if (cluster === null) return;
  const statusReason = failure?.detail ?? null;
  const isActive = await liteClusters.update(cluster, { statusReason }, ['ACTIVE']);
  if (isActive) await checkHealthAfterChange(worker, cluster);
}
