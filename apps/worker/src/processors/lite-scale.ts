import { type ClusterMessage, clusterScalingProgress, type JobFailure } from '@gateway/jobs';
import type { JobContext } from '../jobs/job-context.ts';
import { jobMessage } from '../jobs/job-message.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { checkHealthAfterChange } from '../lite-clusters/check-health.ts';
import { scaleLiteClusterSteps } from '../sagas/scale-lite-cluster/index.ts';
import type { ScaleLiteClusterContext, ScaleLiteClusterState } from '../sagas/scale-lite-cluster/saga.ts';
import { liteClusterContext } from './lite-cluster-context.ts';

type Job = JobContext<'lite.scale'>;

export const liteClusterScaling = sagaProcessor<'lite.scale', ScaleLiteClusterContext, ScaleLiteClusterState>(
  (job) => ({
    steps: scaleLiteClusterSteps,
    context: {
      ...liteClusterContext(job),
      input: job.payload,
      ownerRemover: () => job.credentials.ownerIn(job.projectId),
      stopping: job.worker.stopping.signal,
    },
    message: (update, _state, failure): ClusterMessage =>
      jobMessage(update, failure, { cluster_id: job.payload.clusterId }),
    completed: {
      step: 'completed',
      progress: clusterScalingProgress.completed,
      message: 'The cluster has the requested number of workers.',
    },
    failed: { step: 'failed', progress: clusterScalingProgress.failed },
    changes: ['instance', 'volume', 'port', 'lite_cluster'],
    recordOutcome: (failure) => recordOutcome(job, failure),
  }),
);

/**
 * The cluster stays ACTIVE, and its record says why the last scaling failed. Its health covers its current
 * nodes.
 */
async function recordOutcome({ worker, payload }: Job, failure: JobFailure | null): Promise<void> {
  const cluster = await worker.liteClusters.read(payload.clusterId);
  if (cluster === null) return;
  const isActive = await worker.liteClusters.update(cluster, { statusReason: failure?.detail ?? null }, [
    'ACTIVE',
  ]);
  if (isActive) await checkHealthAfterChange(worker, cluster);
}
