import type { Redis } from '@gateway/redis';
import type { ProgressMessage } from './catalog.ts';
import { jobKeys } from './keys.ts';

/** An event of a job: `seq` counts from 1 and is the event's id on the wire. */
export interface JobEvent {
  seq: number;
  /** One line of JSON, as it is sent. */
  data: string;
  /** No event follows. */
  last: boolean;
}

/** What an entry of a log begins with; the message follows. */
const LAST = '!';
const MORE = '.';

/** An event as the log and the feed hold it. */
export function entryOf(message: ProgressMessage, isLast = false): string {
  return `${isLast ? LAST : MORE}${JSON.stringify(message)}`;
}

export function parseEntry(seq: number, entry: string): JobEvent {
  return { seq, data: entry.slice(1), last: entry[0] === LAST };
}

/** What the job last told; null when it has told nothing yet. */
export async function readLastMessage(redis: Redis, jobId: string): Promise<ProgressMessage | null> {
  const entry = await redis.lindex(jobKeys.log(jobId), -1);
  return entry === null ? null : (JSON.parse(parseEntry(0, entry).data) as ProgressMessage);
}

/** The events of a job after number `afterSeq`, oldest first; the first `limit` of them when that is given. */
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
