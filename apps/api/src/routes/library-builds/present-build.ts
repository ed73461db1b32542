import { toTimestamp } from '@gateway/core';
import { hasEnded, type JobOfType, type JobRecord } from '@gateway/jobs';
import type { BuildStatus } from '@gateway/libraries';
import type { Verification } from '../library-verifications/shapes.ts';

/**
 * A build of a library as the interface shows it.
 *
 * @param verifications the latest of each share, by its id
 */
export function presentBuild(
  { job, payload, message }: JobOfType<'library.build'>,
  nameOf: (libraryId: string) => string,
  verifications: ReadonlyMap<string, Verification>,
) {
  const libraryId = message?.library_id ?? payload?.libraryId ?? '';
  const shareId = message?.file_storage_id ?? null;
  return {
    library_id: libraryId,
    library: nameOf(libraryId),
    version: message?.version ?? payload?.version ?? '',
    file_storage_id: shareId,
    file_storage_name: null as string | null,
    server_id: message?.server_id ?? null,
    server_name: null as string | null,
    status: statusOf(job),
    progress: job.progress,
    message: job.message,
    log_tail: message?.log_tail ?? null,
    started_at: toTimestamp(job.createdAt),
    updated_at: toTimestamp(job.updatedAt),
    job_id: job.id,
    verification: shareId === null ? null : (verifications.get(shareId) ?? null),
  };
}

function statusOf(job: JobRecord): BuildStatus {
  if (!hasEnded(job)) return 'building';
  if (job.status === 'completed') return 'ready';
  return job.failure?.code === 'build_timeout' ? 'timeout' : 'error';
}
