import { toTimestamp } from '@gateway/core';
import { hasEnded, type JobOfType, type JobRecord } from '@gateway/jobs';
import type { BuildStatus } from '@gateway/libraries';

/** A build of a library as the interface shows it. */
export function presentBuild(
  { job, payload, message }: JobOfType<'library.build'>,
  nameOf: (libraryId: string) => string,
) {
  const libraryId = message?.library_id ?? payload?.libraryId ?? '';
  return {
    library_id: libraryId,
    library: nameOf(libraryId),
    version: message?.version ?? payload?.version ?? '',
    file_storage_id: message?.file_storage_id ?? null,
    server_id: message?.server_id ?? null,
    status: statusOf(job),
    progress: job.progress,
    message: job.message,
    log_tail: message?.log_tail ?? null,
    started_at: toTimestamp(job.createdAt),
    updated_at: toTimestamp(job.updatedAt),
    job_id: job.id,
  };
}

function statusOf(job: JobRecord): BuildStatus {
  if (!hasEnded(job)) return 'building';
  if (job.status === 'completed') return 'ready';
  return job.failure?.code === 'build_timeout' ? 'timeout' : 'error';
}
