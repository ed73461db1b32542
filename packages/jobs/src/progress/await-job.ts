import { isRedisUnavailable, type Redis } from '@gateway/store';
import { LogLostError } from '../feed/event-log.ts';
import { hasEnded, type JobRecord, readJob } from '../records/job-record.ts';
import type { JobEvent } from './job-events.ts';
import type { ProgressRelay } from './relay.ts';

interface AwaitJobOptions {
  timeoutMs: number;
  /** Ends the wait at an event before the end of the job. */
  until?: (event: JobEvent) => boolean;
  /** Ends the wait as if the time had run out. */
  signal?: AbortSignal;
}

/**
 * Waits until a job ends or an event arrives, and returns the record; null after the timeout, when the job is
 * gone, or when Redis is unavailable. The job was accepted, so null must not make the caller start it again.
 */
export async function awaitJob(
  redis: Redis,
  relay: ProgressRelay,
  jobId: string,
  { timeoutMs, until, signal }: AwaitJobOptions,
): Promise<JobRecord | null> {
  const seen = await new Promise<boolean>((resolve, reject) => {
    const subscription = relay.subscribe(jobId, 0, {
      onEvent(event) {
        if (event.last || until?.(event) === true) finish(() => resolve(true));
      },
      // Without its events, only the record shows the end.
      onError: (error) => finish(() => (error instanceof LogLostError ? resolve(false) : reject(error))),
    });
    const giveUp = () => finish(() => resolve(false));
    const timer = setTimeout(giveUp, timeoutMs);
    signal?.addEventListener('abort', giveUp);
    function finish(settle: () => void) {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      subscription.close();
      settle();
    }
    if (signal?.aborted) giveUp();
  });
  const record = await readJob(redis, jobId).catch((error: unknown) => {
    if (isRedisUnavailable(error)) return null;
    throw error;
  });
  return seen || (record !== null && hasEnded(record)) ? record : null;
}
