import { NewerFormError } from '@gateway/core';
import type { Redis } from '@gateway/store';
import type { ProgressMessage } from '../catalog/progress-message.ts';
import { jobKeys } from '../keys.ts';

/** An event of a job. `seq` starts at 1 and is the event id in a stream. */
export interface JobEvent {
  seq: number;
  /** One line of JSON, sent unchanged. */
  data: string;
  /** No event follows. */
  last: boolean;
}

/** The first character of a log entry, before the message. */
const LAST = '!';
const MORE = '.';

/** An event in the format of the log and the feed. */
export function entryOf(message: ProgressMessage, isLast = false): string {
  return `${isLast ? LAST : MORE}${JSON.stringify(message)}`;
}

/** @throws NewerFormError: a newer form has other first characters */
export function parseEntry(seq: number, entry: string): JobEvent {
  const [mark] = entry;
  if (mark !== LAST && mark !== MORE) throw new NewerFormError('event of a job');
  return { seq, data: entry.slice(1), last: mark === LAST };
}

/** The job's last progress message; null before the first. */
export async function readLastMessage(redis: Redis, jobId: string): Promise<ProgressMessage | null> {
  const entry = await redis.lindex(jobKeys.log(jobId), -1);
  return entry === null ? null : (JSON.parse(parseEntry(0, entry).data) as ProgressMessage);
}

/** The events of a job after number `afterSeq`, oldest first; at most `limit` events. */
export async function readEvents(
  redis: Redis,
  jobId: string,
  afterSeq: number,
  limit?: number,
): Promise<JobEvent[]> {
  const last = limit === undefined ? -1 : afterSeq + limit - 1;
  const entries = await redis.lrange(jobKeys.log(jobId), afterSeq, last);
  return entries.map((entry, index) => parseEntry(afterSeq + index + 1, entry));
}
