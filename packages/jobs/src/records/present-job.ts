import { toTimestamp } from '@gateway/core';
import type { Estimate } from '../catalog/progress-message.ts';
import { completedEstimate, estimateAt, noEstimate } from '../estimates/job-bar.ts';
import type { JobFailure } from './job-failure.ts';
import { hasEnded, type JobHold, type JobRecord, type JobStatus } from './job-record.ts';

/** The status, in which a rollback and a hold are states of their own. */
export type JobState = JobStatus | 'rolling_back' | 'held';

export function stateOf(record: JobRecord): JobState {
  const { hold, isRollingBack, status } = record;
  if (hold !== null && !hasEnded(record)) return 'held';
  return status === 'running' && isRollingBack ? 'rolling_back' : status;
}

/** A step that no saga has, as messages of the type write it: those of lite clusters in lower case. */
function namedStep(type: string, name: string): string {
  return type.startsWith('lite.') ? name.toLowerCase() : name;
}

const LAST_PROGRESS = { COMPLETED: 100, FAILED: -1 };

/** The step and the progress of a job's last message. */
export function lastStep(type: string, name: keyof typeof LAST_PROGRESS): { step: string; progress: number } {
  return { step: namedStep(type, name), progress: LAST_PROGRESS[name] };
}

/** What the users of a job read while it is being undone. */
export function undoingMessage(failure: JobFailure | null): string {
  return ['What the job has done is being undone.', failure?.detail ?? ''].join(' ').trimEnd();
}

/** The same while it is held. */
export function heldMessage({ reason }: JobHold): string {
  return reason === 'administrator'
    ? 'An administrator holds the job. It keeps what it has made, and continues when it is released.'
    : 'The job is held, because its runs have ended several times without a result. It keeps what it has made until an administrator releases or cancels it.';
}

/** The step of a job and its text. A rollback is a step of its own, which events do not have. */
export function shownStep(record: JobRecord): { step: string | null; message: string } {
  const { failure, hold, isRollingBack, message, status, step, type } = record;
  const isUndone = status === 'running' && isRollingBack;
  const shown = isUndone
    ? { step: namedStep(type, 'ROLLING_BACK'), message: undoingMessage(failure) }
    : { step, message };
  return hold === null || hasEnded(record) ? shown : { ...shown, message: heldMessage(hold) };
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
    ...shownStep(record),
    progress: record.progress,
    resource_type: record.resourceType,
    resource_id: record.resourceId,
    resource_name: record.resourceName,
    user_id: record.userId,
    user_name: record.userName,
    error: record.failure?.detail ?? null,
    errors: record.failure?.errors ?? [],
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
