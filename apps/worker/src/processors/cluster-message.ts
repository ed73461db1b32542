import type { ClusterMessage, JobFailure } from '@gateway/jobs';
import type { ProgressUpdate } from '@gateway/saga';

/** A message of a job of a cluster. */
export function clusterMessage(
  { payload }: { payload: { clusterId: string } },
  { step, progress, message }: ProgressUpdate,
  failure?: JobFailure,
): ClusterMessage {
  return {
    step: step as ClusterMessage['step'],
    progress,
    message,
    cluster_id: payload.clusterId,
    error: failure?.detail ?? null,
    ...(failure && { code: failure.code }),
  };
}
