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
