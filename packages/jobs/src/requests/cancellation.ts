import { type Redis, type ReplicatedWrite, unreplicatedWrite } from '@gateway/redis';
import { jobKeys } from '../keys.ts';
import type { JobFailure } from '../records/job-failure.ts';

interface CancelOptions {
  /** Waits until replicas have acknowledged the request before it is accepted. Defaults to not waiting. */
  replicatedWrite?: ReplicatedWrite;
  /** For a job that cannot be cancelled once it has begun. */
  onlyIfQueued?: boolean;
}

/**
 * Requests the cancellation of a job; returns whether it was accepted. The job's run sees the request at its next safe
 * point. A job that has committed (`isCommitting` of `RecordChanges`) does not accept it.
 */
export async function requestCancel(
  redis: Redis,
  jobId: string,
  { replicatedWrite = unreplicatedWrite, onlyIfQueued = false }: CancelOptions = {},
): Promise<boolean> {
  const key = jobKeys.record(jobId);
  const last = onlyIfQueued ? 'queued' : 'running';
  const done = await replicatedWrite(redis, key, (pipeline) => pipeline.eval(CANCEL_SCRIPT, 1, key, last));
  return done === 1;
}

/** KEYS: 1 record. ARGV: 1 the last status in which the job can be cancelled. */
const CANCEL_SCRIPT = `
  local status = redis.call('HGET', KEYS[1], 'status')
  if status ~= 'queued' and status ~= ARGV[1] then return 0 end
  if redis.call('HGET', KEYS[1], 'isCommitting') == '1' then return 0 end
  redis.call('HSET', KEYS[1], 'cancelRequested', '1')
  return 1`;

export async function isCancelRequested(redis: Redis, jobId: string): Promise<boolean> {
  return (await redis.hget(jobKeys.record(jobId), 'cancelRequested')) === '1';
}

/**
 * Counts a run that failed because of a fault of the gateway. From the `limit`-th fault on, the job's next run rolls
 * back and the job fails with `failure`.
 */
export async function countFault(
  redis: Redis,
  jobId: string,
  { failure, limit }: { failure: JobFailure; limit: number },
): Promise<void> {
  await redis.eval(FAULT_SCRIPT, 1, jobKeys.record(jobId), limit, JSON.stringify(failure));
}

const FAULT_SCRIPT = `
  local status = redis.call('HGET', KEYS[1], 'status')
  if status ~= 'queued' and status ~= 'running' then return 0 end
  if redis.call('HINCRBY', KEYS[1], 'faults', 1) >= tonumber(ARGV[1]) then
    redis.call('HSET', KEYS[1], 'abortReason', ARGV[2])
  end
  return 1`;
