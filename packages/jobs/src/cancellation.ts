import { type Redis, type ReplicatedWrite, unreplicatedWrite } from '@gateway/redis';
import { jobKeys } from './keys.ts';
import type { JobFailure } from './records.ts';

export interface CancelOptions {
  /** Has the wish outlive a failover before it is promised to come true; waits for nothing unless given. */
  replicatedWrite?: ReplicatedWrite;
  /** For a job that can not be stopped once it has begun. */
  onlyIfQueued?: boolean;
}

/**
 * Asks a job to stop; true when it will. Whoever runs it sees this at its next safe point. One from which there is no way
 * back any more (`isBinding` of `RecordChanges`) will not.
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

/** KEYS: 1 record. ARGV: 1 the last status that a job can be stopped in. */
const CANCEL_SCRIPT = `
  local status = redis.call('HGET', KEYS[1], 'status')
  if status ~= 'queued' and status ~= ARGV[1] then return 0 end
  if redis.call('HGET', KEYS[1], 'isBound') == '1' then return 0 end
  redis.call('HSET', KEYS[1], 'cancelRequested', '1')
  return 1`;

export async function isCancelRequested(redis: Redis, jobId: string): Promise<boolean> {
  return (await redis.hget(jobKeys.record(jobId), 'cancelRequested')) === '1';
}

/**
 * Counts a run that broke off by a fault of the gateway. From the `limit`-th on the job turns back at its next
 * run, whatever it has come to, and fails with `failure`.
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
    redis.call('HSET', KEYS[1], 'givenUp', ARGV[2])
  end
  return 1`;
