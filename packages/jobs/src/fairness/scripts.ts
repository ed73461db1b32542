import { defineScript } from '@gateway/store';
import { fairQueueing } from './fair-queueing.ts';

/**
 * Admits the jobs of a project that wait for a slot of it, as far as it has room. Counts that as a resume of
 * each (`countResumeScript`). Returns ids and tags in turn. With `all`, those of other ready jobs of the
 * project follow.
 */
export const admitBlockedScript = defineScript({
  name: 'admit blocked jobs',
  keys: fairQueueing.keys,
  args: [...fairQueueing.args, 'all'],
  lua: `${fairQueueing.lua}
    local admitted = {}
    local job, tag = admitBlocked()
    while job do
      redis.call('HINCRBY', recordPrefix .. job, 'resumes', 1)
      admitted[#admitted + 1] = job
      admitted[#admitted + 1] = tag
      job, tag = admitBlocked()
    end
    if all ~= '1' then return admitted end
    return redis.call('ZRANGE', readyOfProject, 0, -1, 'WITHSCORES')`,
});

/** Returns the tag of a job that has not begun, `BLOCKED` if its project may not run it, nil for others. */
export const admitScript = defineScript({
  name: 'admit a job',
  keys: [...fairQueueing.keys, 'record'],
  args: [...fairQueueing.args, 'job'],
  lua: `${fairQueueing.lua}
    local status, createdAt, hold = unpack(redis.call('HMGET', record, 'status', 'createdAt', 'hold'))
    if status ~= 'queued' or hold then return nil end
    return admit(job, createdAt)`,
});

/**
 * Counts the calls that resume a job. A job that is being parked or deferred detects such a call by the
 * count.
 */
export const countResumeScript = defineScript({
  name: 'count a resume',
  keys: ['record'],
  lua: `
    if redis.call('EXISTS', record) == 0 then return 0 end
    return redis.call('HINCRBY', record, 'resumes', 1)`,
});

/** Registers the slots of a worker, or renews the registration. Removes those of workers that are gone. */
export const registerSlotsScript = defineScript({
  name: 'register slots',
  keys: ['slots'],
  args: ['member', 'forMs'],
  withClock: true,
  lua: `
    redis.call('ZREMRANGEBYSCORE', slots, '-inf', now)
    return redis.call('ZADD', slots, now + forMs, member)`,
});

/**
 * Releases the slot of a parked job, unless another run has claimed the job. Counts for how many milliseconds
 * the run has held it.
 */
export const releaseSlotScript = defineScript({
  name: 'release a slot',
  keys: ['record', 'running'],
  args: ['member', 'fencingToken', 'heldMs'],
  lua: `
    if redis.call('HGET', record, 'fencingToken') ~= fencingToken then return 0 end
    redis.call('HDEL', record, 'openRun')
    redis.call('HINCRBY', record, 'heldMs', heldMs)
    return redis.call('ZREM', running, member)`,
});
