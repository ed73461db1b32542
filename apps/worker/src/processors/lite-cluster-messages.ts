import { type ClusterMessage, clusterCreationProgress, type JobFailure } from '@gateway/jobs';
import { jobMessage } from '../jobs/job-message.ts';
import type { ProgressUpdate } from '../saga/index.ts';

/** The last steps of all jobs of clusters. */
const { completed, failed } = clusterCreationProgress;

/** The messages of a job of a cluster. `done` is the text of the last one if the job completes. */
export function liteClusterMessages({ payload }: { payload: { clusterId: string } }, done: string) {
  return {
    message: (update: ProgressUpdate, _state: unknown, failure?: JobFailure): ClusterMessage =>
      jobMessage(update, failure, { cluster_id: payload.clusterId }),
    completed: { step: 'completed', progress: completed, message: done },
    failed: { step: 'failed', progress: failed },
  };
}
