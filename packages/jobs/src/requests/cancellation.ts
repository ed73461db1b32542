import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { cancelScript } from './scripts.ts';

interface CancelOptions {
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
  { onlyIfQueued = false }: CancelOptions = {},
): Promise<boolean> {
  const keys = { record: jobKeys.record(jobId), held: jobKeys.held };
  const otherStatus = onlyIfQueued ? '' : 'running';
  const done = await cancelScript.runReplicated(redis, keys, { job: jobId, otherStatus });
  return done === 1;
}

/** What a run polls: whether its job is to be cancelled, or to be held. */
export async function readRequests(
  redis: Redis,
  jobId: string,
): Promise<{ isCancelRequested: boolean; isHeld: boolean }> {
  const [cancelRequested, hold] = await redis.hmget(jobKeys.record(jobId), 'cancelRequested', 'hold');
  return { isCancelRequested: cancelRequested === '1', isHeld: Boolean(hold) };
}

export async function isCancelRequested(redis: Redis, jobId: string): Promise<boolean> {
  return (await readRequests(redis, jobId)).isCancelRequested;
}
