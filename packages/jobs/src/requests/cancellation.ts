import { type Redis, type ReplicatedWrite, unreplicatedWrite } from '@gateway/redis';
import { jobKeys } from '../keys.ts';
import { cancelScript } from './cancel-script.ts';

interface CancelOptions {
  /** Waits until replicas have acknowledged the request before it is accepted. Defaults to not waiting. */
  replicatedWrite?: ReplicatedWrite;
  /** For a job that cannot be cancelled once it has begun. */
  onlyIfQueued?: boolean;
}

/**
 * Requests the cancellation of a job; returns whether it was accepted. The job's run sees the request at its
 * next safe point. A job that has committed (`isCommitting` of `RecordChanges`) does not accept it.
 */
export async function requestCancel(
  redis: Redis,
  jobId: string,
  { replicatedWrite = unreplicatedWrite, onlyIfQueued = false }: CancelOptions = {},
): Promise<boolean> {
  const keys = { record: jobKeys.record(jobId) };
  const otherStatus = onlyIfQueued ? '' : 'running';
  const done = await cancelScript.runReplicated(redis, replicatedWrite, keys, { otherStatus });
  return done === 1;
}

export async function isCancelRequested(redis: Redis, jobId: string): Promise<boolean> {
  return (await redis.hget(jobKeys.record(jobId), 'cancelRequested')) === '1';
}
