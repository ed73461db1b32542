import { toTimestamp } from '@gateway/core';
import { type JobRecord, type QueueEntry, shownStep, stateOf } from '@gateway/jobs';
import type { ShownEntry } from './shapes.ts';

/** An entry of a queue. `record` is null for an entry that is not a job, such as a task of the gateway. */
export function presentEntry(entry: QueueEntry, record: JobRecord | null): ShownEntry {
  const { addedAt, begunAt, brokenRuns, delayMs, firstDelayMs, id, name, state } = entry;
  // When an entry was deferred is not known.
  const isDue = state === 'delayed' && delayMs === firstDelayMs;
  return {
    id,
    type: name,
    state,
    created_at: toTimestamp(record?.createdAt ?? addedAt),
    begun_at: toTimestamp(begunAt),
    due_at: toTimestamp(isDue ? addedAt + delayMs : null),
    failed_at: toTimestamp(null),
    delay_ms: delayMs,
    first_delay_ms: firstDelayMs,
    broken_runs: brokenRuns,
    ...presentRecord(record),
  };
}

/** A job that failed and was undone. Its record does not say when its first run began. */
export function presentFailedJob(record: JobRecord): ShownEntry {
  return {
    id: record.id,
    type: record.type,
    state: 'failed',
    created_at: toTimestamp(record.createdAt),
    begun_at: null,
    due_at: null,
    failed_at: toTimestamp(record.updatedAt),
    delay_ms: 0,
    first_delay_ms: 0,
    broken_runs: 0,
    ...presentRecord(record),
  };
}

/**
 * The fields of a job that a queue shows. An explicit list, so that a new field is not shown by accident:
 * names, messages and payloads contain texts of users.
 */
function presentRecord(record: JobRecord | null) {
  return {
    status: record === null ? null : stateOf(record),
    step: record === null ? null : shownStep(record).step,
    progress: Math.max(0, record?.progress ?? 0),
    project_id: record?.projectId ?? null,
    project_name: null as string | null,
    user_id: record?.userId ?? null,
    user_name: record?.userName ?? null,
    resource_id: record?.resourceId ?? null,
    request_id: record?.requestId ?? null,
    cancel_requested: record?.cancelRequested ?? false,
    error_code: record?.failure?.code ?? null,
    error_status: record?.failure?.status ?? null,
    error_service: record?.failure?.upstream?.service ?? null,
    error_request_id: record?.failure?.upstream?.request_id ?? null,
    leftovers: record?.leftovers.map(({ id, type }) => ({ type, id })) ?? [],
    updated_at: record === null ? null : toTimestamp(record.updatedAt),
  };
}
