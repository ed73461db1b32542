import { defineScript } from '@gateway/store';
import { LET_EXPIRE } from '../records/let-expire.ts';

/**
 * Writes the outcome of a sweep of an ended job. With nothing left to sweep (`sweep` is ''), the job's keys
 * expire. The last keys are prefixes: the record knows the project.
 */
export const sweepScript = defineScript({
  name: 'end of a sweep',
  keys: [
    'record',
    'journal',
    'log',
    'sweeps',
    'unsuccessfulPrefix',
    'projectJobsPrefix',
    'resourceJobsPrefix',
  ],
  args: ['job', 'leftovers', 'sweep', 'keepSeconds', 'unsuccessfulLimit'],
  lua: `${LET_EXPIRE}
    if redis.call('EXISTS', record) == 0 then
      redis.call('HDEL', sweeps, job)
      return 0
    end
    redis.call('HSET', record, 'leftovers', leftovers)
    if sweep ~= '' then
      redis.call('HSET', sweeps, job, sweep)
    else
      redis.call('HDEL', sweeps, job)
      local project = redis.call('HGET', record, 'projectId')
      letExpire(unsuccessfulPrefix .. project, projectJobsPrefix .. project)
    end
    return 1`,
});
