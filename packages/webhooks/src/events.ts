import { toTimestamp } from '@gateway/core';
import type { OutboxEntry } from '@gateway/jobs';
import type { EventType } from './event-types.ts';
import type { EventData } from './shapes.ts';

interface EventOf<Type extends EventType> {
  /**
   * Identifies the event: the same for all attempts and webhooks, and when it is reported again. Letters,
   * digits, `_` and `-`.
   */
  id: string;
  type: Type;
  /** Milliseconds since the epoch. */
  at: number;
  /** The project that learns of it besides the site; null for the site alone. */
  projectId: string | null;
  data: EventData<Type>;
}

/** What happens, and what webhooks learn of it. */
export type WebhookEvent = { [Type in EventType]: EventOf<Type> }[EventType];

type EndType = 'job.completed' | 'job.failed' | 'job.cancelled' | 'job.leftovers';

/** What follows from the end or the hold of a job. */
export type JobWebhookEvent = Extract<WebhookEvent, { type: EndType | 'job.held' }>;

const MAX_LEFTOVERS = 50;

/** The body of the event, as in all attempts. */
export function bodyOf({ at, data, type }: WebhookEvent): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}

/** What follows from the end or the hold of a job. */
export function jobEvents(entry: OutboxEntry): JobWebhookEvent[] {
  const { event, hold, jobId, leftovers, projectId, status, updatedAt } = entry;
  const data = jobData(entry);
  if (event === 'held') {
    const at = hold?.at ?? updatedAt;
    const held = { ...data, hold_reason: hold?.reason ?? null, held_at: toTimestamp(at) };
    return [{ id: `${jobId}_held_${at}`, type: 'job.held', at, projectId, data: held }];
  }
  if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') return [];
  const ended = { ...data, ended_at: toTimestamp(updatedAt) };
  const base = { at: updatedAt, projectId };
  const events: JobWebhookEvent[] = [
    { ...base, id: `${jobId}_${status}`, type: `job.${status}`, data: ended },
  ];
  if (leftovers.length > 0) {
    const left = { ...ended, leftovers: leftovers.slice(0, MAX_LEFTOVERS) };
    events.push({ ...base, id: `${jobId}_leftovers`, type: 'job.leftovers', data: left });
  }
  return events;
}

function jobData(entry: OutboxEntry) {
  const { failure } = entry;
  return {
    job_id: entry.jobId,
    job_type: entry.type,
    status: entry.status,
    project_id: entry.projectId,
    user_id: entry.userId,
    user_name: entry.userName,
    resource_type: entry.resourceType,
    resource_id: entry.resourceId,
    resource_name: entry.resourceName,
    error: failure?.detail ?? null,
    error_code: failure?.code ?? null,
    leftover_count: entry.leftovers.length,
    created_at: toTimestamp(entry.createdAt),
    started_at: toTimestamp(entry.startedAt),
  };
}
