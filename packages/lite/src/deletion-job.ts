import { derivedId } from '@gateway/core';
import { type JobRecord, readJob } from '@gateway/jobs';
import type { Redis } from '@gateway/store';

interface LiteClusterDeletion {
  id: string;
  /** Null if the job has not been enqueued, or was completed long ago. */
  record: JobRecord | null;
}

/**
 * The job that removes a cluster's resources. All requests get the same id, so that they join one job.
 * Another job replaces a job that was withdrawn because its request could not be accepted.
 */
export async function findLiteClusterDeletion(redis: Redis, clusterId: string): Promise<LiteClusterDeletion> {
  for (let attempt = 0; ; attempt += 1) {
    const id = derivedId('lite-delete', clusterId, attempt);
    const record = await readJob(redis, id);
    if (record?.status !== 'failed' && record?.status !== 'cancelled') return { id, record };
  }
}

/** The subject on which only one job at a time changes a cluster. */
export function liteClusterSubject(clusterId: string): string {
  return `lite:${clusterId}`;
}
