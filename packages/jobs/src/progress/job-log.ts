import type { Redis } from '@gateway/store';
import { type EventLog, LogLostError } from '../feed/event-log.ts';
import { jobKeys } from '../keys.ts';
import { type JobEvent, readEvents } from './job-events.ts';

/** The log of a job. A position is the number of an event, and 0 the beginning. */
export function jobLog(jobId: string): EventLog<JobEvent, number> {
  return {
    key: jobKeys.log(jobId),
    positionOf: ({ seq }) => seq,
    compare({ seq }, position) {
      if (seq <= position) return 'earlier';
      return seq === position + 1 ? 'next' : 'later';
    },
    read: (redis, position, limit) => readOn(redis, jobId, position, limit),
  };
}

/** Reads the last delivered event again: if the log no longer has it, no event will follow. */
async function readOn(redis: Redis, jobId: string, position: number, limit: number): Promise<JobEvent[]> {
  if (position > 0) {
    const [seen, ...news] = await readEvents(redis, jobId, position - 1, limit + 1);
    if (seen === undefined) throw new LogLostError(`job ${jobId}`);
    return news;
  }
  const first = await readEvents(redis, jobId, 0, limit);
  if (first.length > 0 || (await isOpen(redis, jobId))) return first;
  // The job may have ended between the two reads.
  const all = await readEvents(redis, jobId, 0, limit);
  if (all.length === 0) throw new LogLostError(`job ${jobId}`);
  return all;
}

/** Whether events are to be expected. */
async function isOpen(redis: Redis, jobId: string): Promise<boolean> {
  const status = await redis.hget(jobKeys.record(jobId), 'status');
  return status === 'queued' || status === 'running';
}
