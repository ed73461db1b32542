import { defineScript } from '@gateway/store';

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
