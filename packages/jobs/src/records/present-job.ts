import { toTimestamp } from '@gateway/core';
import { hasEnded, type JobRecord, type JobStatus } from './job-record.ts';

/** The status, in which a rollback is a state of its own. */
export type JobState = JobStatus | 'rolling_back';

export function stateOf({ isRollingBack, status }: JobRecord): JobState {
  return status === 'running' && isRollingBack ? 'rolling_back' : status;
}

/** A job as the API shows it. */
export function presentJob(record: JobRecord) {
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
  };
}
