import { toTimestamp } from '@gateway/core';
import { hasEnded, type JobOfType, type JobRecord } from '@gateway/jobs';
import type { Verification } from './shapes.ts';

type VerificationJob = JobOfType<'library.verify'>;

/**
 * The latest verification of each share, by the id of the share. A cancelled one says nothing.
 *
 * @param jobs newest first
 */
export function latestVerifications(jobs: readonly VerificationJob[]): Map<string, Verification> {
  const latest = new Map<string, Verification>();
  for (const verification of jobs) {
    const shareId = verification.message?.file_storage_id ?? verification.payload?.fileStorageId;
    if (shareId === undefined || verification.job.status === 'cancelled' || latest.has(shareId)) continue;
    latest.set(shareId, presentVerification(verification));
  }
  return latest;
}

function presentVerification({ job, message }: VerificationJob): Verification {
  const verdict = message?.verdict ?? null;
  return {
    status: hasEnded(job) ? (verdict?.status ?? 'error') : 'running',
    message: verdict?.message ?? reasonOf(job),
    checked_at: hasEnded(job) ? toTimestamp(job.updatedAt) : null,
    packages: verdict?.packages ?? [],
    job_id: job.id,
  };
}

function reasonOf({ failure, message }: JobRecord): string {
  return failure?.detail ?? message;
}
