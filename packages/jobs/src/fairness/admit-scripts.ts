import { defineScript } from '@gateway/redis';
import { fairQueueing } from './fair-queueing.ts';

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
