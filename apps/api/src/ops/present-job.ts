import type { QueueJobJson } from '@bull-board/api/typings/app';
import { toTimestamp } from '@gateway/core';
import type { JobRecord, QueueEntry } from '@gateway/jobs';

export type BoardJob = QueueJobJson;

/** An entry of a queue. `record` is null for an entry that is not a job, as the gateway's own tasks. */
export function presentEntry(entry: QueueEntry, record: JobRecord | null): BoardJob {
  const { addedAt, begunAt, brokenRuns, delayMs, firstDelayMs, id, name } = entry;
  return {
    ...NOTHING,
    id,
    name,
    data: record === null ? {} : dataOf(record),
    progress: progressOf(record),
    timestamp: record?.createdAt ?? addedAt,
    processedOn: begunAt,
    delay: delayMs,
    opts: { delay: firstDelayMs },
    attemptsMade: brokenRuns,
    failedReason: brokenRuns === 0 ? '' : `${brokenRuns} runs broke off; the job continues by itself.`,
  };
}

/** A job that failed and was undone. */
export function presentFailedJob(record: JobRecord): BoardJob {
  const { createdAt, failure, id, type, updatedAt } = record;
  return {
    ...NOTHING,
    id,
    name: type,
    data: dataOf(record),
    progress: progressOf(record),
    timestamp: createdAt,
    // The record does not tell when its first run began.
    processedOn: createdAt,
    finishedOn: updatedAt,
    failedReason: failure === null ? 'failed' : `${failure.code} (${failure.status})`,
  };
}

const NOTHING = { attemptsMade: 0, failedReason: '', opts: {}, returnvalue: null, stacktrace: [] };

/**
 * What is shown of a job: a list of what is harmless, so that a new field is not shown by itself. Names, messages and payloads
 * hold what users have written.
 */
function dataOf(record: JobRecord) {
  const {
    cancelRequested,
    failure,
    leftovers,
    projectId,
    requestId,
    resourceId,
    status,
    step,
    type,
    userId,
  } = record;
  return {
    type,
    status,
    step,
    project_id: projectId,
    user_id: userId,
    resource_id: resourceId,
    request_id: requestId,
    cancel_requested: cancelRequested,
    error_code: failure?.code ?? null,
    error_service: failure?.upstream?.service ?? null,
    error_request_id: failure?.upstream?.request_id ?? null,
    leftovers: leftovers.map(({ id, type: resourceType }) => ({ type: resourceType, id })),
    updated_at: toTimestamp(record.updatedAt),
  };
}

function progressOf(record: JobRecord | null): number {
  return Math.max(0, record?.progress ?? 0);
}
