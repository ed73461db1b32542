import { parseStored, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import type { JobFailure } from '../records/job-failure.ts';
import type { JobHold, JobStatus, Leftover } from '../records/job-record.ts';

/** What has happened to a job that members see. Times are in milliseconds since the epoch. */
export interface OutboxEntry {
  event: 'ended' | 'held';
  jobId: string;
  /** Of the request that has started the job. */
  requestId: string;
  projectId: string;
  userId: string;
  userName: string | null;
  type: string;
  status: JobStatus;
  /** What an exclusive job was exclusive for. */
  subject: string | null;
  resourceId: string | null;
  resourceName: string | null;
  resourceType: string | null;
  failure: JobFailure | null;
  /** `EndChanges.problem` */
  problem: string | null;
  leftovers: Leftover[];
  hold: JobHold | null;
  createdAt: number;
  startedAt: number | null;
  updatedAt: number;
}

/** An entry that nobody has parsed yet: one that is unreadable must not stop the others. */
export interface OutboxRow {
  /** Orders the entries, and removes them (`removeFromOutbox`). */
  position: string;
  text: string;
}

/**
 * The oldest entries after a position. The script that ends or holds a job writes them, so none is lost with
 * a process. A reader removes an entry when it has stored what follows from it, and may read it twice.
 */
export async function readOutbox(
  redis: Redis,
  limit: number,
  after: string | null = null,
): Promise<OutboxRow[]> {
  const rows = await redis.xrange(jobKeys.outbox, after === null ? '-' : `(${after}`, '+', 'COUNT', limit);
  return rows.map(([position, [, text = '']]) => ({ position, text }));
}

export async function isOutboxEmpty(redis: Redis): Promise<boolean> {
  return (await redis.xlen(jobKeys.outbox)) === 0;
}

export async function removeFromOutbox(redis: Redis, positions: readonly string[]): Promise<void> {
  if (positions.length > 0) await redis.xdel(jobKeys.outbox, ...positions);
}

const EXCLUSIVE = jobKeys.exclusive('');

/** @throws NewerFormError, and other errors for what no release has written */
export function parseOutboxEntry(text: string): OutboxEntry {
  const entry = parseStored<Record<string, string>>(storedForms.outboxEntry, text);
  const orNull = (value: string | undefined) => value || null;
  const parsed = <T>(value: string | undefined) => (value ? (JSON.parse(value) as T) : null);
  const updatedAt = Number(entry.updatedAt);
  if (!Number.isFinite(updatedAt)) throw new TypeError('The entry has no time');
  // The record has the whole key.
  const subjectAt = (entry.exclusive ?? '').indexOf(EXCLUSIVE);
  return {
    event: entry.event as OutboxEntry['event'],
    jobId: entry.job ?? '',
    requestId: entry.requestId ?? '',
    projectId: entry.projectId ?? '',
    userId: entry.userId ?? '',
    userName: orNull(entry.userName),
    type: entry.type ?? '',
    status: entry.status as JobStatus,
    subject: subjectAt < 0 ? null : (entry.exclusive ?? '').slice(subjectAt + EXCLUSIVE.length),
    resourceId: orNull(entry.resourceId),
    resourceName: orNull(entry.resourceName),
    resourceType: orNull(entry.resourceType),
    failure: parsed<JobFailure>(entry.failure),
    problem: orNull(entry.problem),
    leftovers: parsed<Leftover[]>(entry.leftovers) ?? [],
    hold: parsed<JobHold>(entry.hold),
    createdAt: Number(entry.createdAt),
    startedAt: entry.startedAt ? Number(entry.startedAt) : null,
    updatedAt,
  };
}
