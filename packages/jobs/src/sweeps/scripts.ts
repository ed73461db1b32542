import { defineScript } from '@gateway/store';
import { FIELDS_OF } from '../records/fields-of.ts';
import { LET_EXPIRE } from '../records/let-expire.ts';

/** Writes to the journal of an ended job that is still kept. */
export const recordAfterEndScript = defineScript({
  name: 'record after the end',
  keys: ['record', 'journal'],
  args: ['field', 'value'],
  lua: `
    if redis.call('EXISTS', record) == 0 then return 0 end
    return redis.call('HSET', journal, field, value)`,
});

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
  lua: `${FIELDS_OF}
    ${LET_EXPIRE}
    if redis.call('EXISTS', record) == 0 then
      redis.call('HDEL', sweeps, job)
      return 0
    end
    redis.call('HSET', record, 'leftovers', leftovers)
    if sweep ~= '' then
      redis.call('HSET', sweeps, job, sweep)
    else
      redis.call('HDEL', sweeps, job)
      local fields = fieldsOf(record)
      letExpire(fields, unsuccessfulPrefix .. fields.projectId, projectJobsPrefix .. fields.projectId)
    end
    return 1`,
});
