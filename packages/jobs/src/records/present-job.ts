import { toTimestamp } from '@gateway/core';
import type { Estimate } from '../catalog/progress-message.ts';
import { completedEstimate, estimateAt, noEstimate } from '../estimates/job-bar.ts';
import { hasEnded, type JobRecord, type JobStatus } from './job-record.ts';

/** The status, in which a rollback is a state of its own. */
export type JobState = JobStatus | 'rolling_back';

export function stateOf({ isRollingBack, status }: JobRecord): JobState {
  return status === 'running' && isRollingBack ? 'rolling_back' : status;
}

/**
 * A job as the API shows it, at a time in milliseconds since the epoch. `queuedEnd` is when it usually ends
 * if it is queued and that is known.
 */
export function presentJob(record: JobRecord, now: number, queuedEnd: number | null = null) {
  return {
    id: record.id,
    type: record.type,
    status: record.status,
    state: stateOf(record),
    step: record.step,
    progress: record.progress,
    message: record.message,
    resource_type: record.resourceType,
    resource_id: record.resourceId,
    resource_name: record.resourceName,
    user_id: record.userId,
    user_name: record.userName,
    error: record.failure?.detail ?? null,
    leftovers: record.leftovers,
    created_at: toTimestamp(record.createdAt),
    started_at: toTimestamp(record.startedAt),
    updated_at: toTimestamp(record.updatedAt),
    ended_at: hasEnded(record) ? toTimestamp(record.updatedAt) : null,
    ...estimateOf(record, now, queuedEnd),
  };
}

/** Nothing is said about a job that is undone, because nobody knows how long that takes. */
function estimateOf(record: JobRecord, now: number, queuedEnd: number | null): Estimate {
  const state = stateOf(record);
  if (state === 'completed') return completedEstimate;
  if (state !== 'queued' && state !== 'running') return noEstimate;
  if (record.bar !== null) return estimateAt(record.bar, now);
  return { ...noEstimate, estimated_progress: 0, estimated_end_at: toTimestamp(queuedEnd) };
}
