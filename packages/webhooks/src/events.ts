import { toTimestamp } from '@gateway/core';
import type { OutboxEntry } from '@gateway/jobs';

/** What webhooks learn of, by the name in the body and in the settings of a webhook. */
export const eventTypes = {
  'job.completed': 'A job has completed.',
  'job.failed': 'A job has failed.',
  'job.cancelled': 'A job was cancelled.',
  'job.held': 'No worker runs the job until an administrator releases or cancels it.',
  'job.leftovers': 'A job has ended and could not remove something that it had created.',
  'auto_backup.failed': 'A run of an auto backup has failed.',
  'lite_cluster.certificate_expiring':
    'A certificate in the configuration file of a lite cluster ends within 14 days and was not renewed.',
  'webhook.test': 'Somebody tries the webhook. It is sent whatever the webhook has chosen.',
} as const;

export type EventType = keyof typeof eventTypes;

/** What a webhook can choose: a test is always sent. */
export type ChosenType = Exclude<EventType, 'webhook.test'>;

export const chosenTypes = (Object.keys(eventTypes) as EventType[]).filter(
  (type): type is ChosenType => type !== 'webhook.test',
);

export interface WebhookEvent {
  /**
   * Identifies the event: the same for all attempts and webhooks, and when it is reported again. Letters,
   * digits, `_` and `-`.
   */
  id: string;
  type: EventType;
  /** Milliseconds since the epoch. */
  at: number;
  /** The project that learns of it besides the site; null for the site alone. */
  projectId: string | null;
  data: Readonly<Record<string, unknown>>;
}

const MAX_LEFTOVERS = 50;

/** The body of the event, as in all attempts. */
export function bodyOf({ at, data, type }: WebhookEvent): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}

/** What follows from the end or the hold of a job. */
export function jobEvents(entry: OutboxEntry): WebhookEvent[] {
  const { event, hold, jobId, leftovers, projectId, status, updatedAt } = entry;
  const data = jobData(entry);
  if (event === 'held') {
    const at = hold?.at ?? updatedAt;
    const held = { ...data, hold_reason: hold?.reason ?? null, held_at: toTimestamp(at) };
    return [{ id: `${jobId}_held_${at}`, type: 'job.held', at, projectId, data: held }];
  }
  if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') return [];
  const ended = (type: EventType, more: object = {}): WebhookEvent => ({
    id: `${jobId}_${type.replace('job.', '')}`,
    type,
    at: updatedAt,
    projectId,
    data: { ...data, ended_at: toTimestamp(updatedAt), ...more },
  });
  const types = [ended(`job.${status}`)];
  if (leftovers.length > 0)
    types.push(ended('job.leftovers', { leftovers: leftovers.slice(0, MAX_LEFTOVERS) }));
  return types;
}

/** The fields of a job have the names that they have in `GET /api/jobs/{job_id}`. */
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
