import type { ClusterMessage, JobFailure } from '@gateway/jobs';
import { jobMessage } from '../jobs/job-message.ts';
import type { ProgressUpdate } from '../saga/index.ts';

/** The messages of a job of a cluster. `completed` is the text of the last one if the job completes. */
export function liteClusterMessages({ payload }: { payload: { clusterId: string } }, completed: string) {
  return {
    message: (update: ProgressUpdate, _state: unknown, failure?: JobFailure): ClusterMessage =>
      jobMessage(update, failure, { cluster_id: payload.clusterId }),
    completed,
  };
}
