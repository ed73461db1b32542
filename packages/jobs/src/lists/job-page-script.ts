import { defineScript } from '@gateway/store';

/**
 * Returns the ids of a page of jobs after the marker ('' for the first page); null for an unknown marker.
 * With `findsGone`, a job that has left the list is a marker, too: the page has what was created before it.
 * The first page begins with the jobs that were created by `createdBy`, in milliseconds since the epoch; ''
 * for all.
 */
export const jobPageScript = defineScript({
  name: 'page of jobs',
  keys: ['jobs', 'recordPrefix'],
  args: ['marker', 'count', 'createdBy', 'findsGone'],
  lua: `
    local from = 0
    if marker ~= '' then
      local rank = redis.call('ZREVRANK', jobs, marker)
      local createdAt = not rank and findsGone == '1' and redis.call('HGET', recordPrefix .. marker, 'createdAt')
      if not rank and not createdAt then return false end
      from = rank and rank + 1 or redis.call('ZCOUNT', jobs, '(' .. createdAt, '+inf')
    elseif createdBy ~= '' then
      from = redis.call('ZCOUNT', jobs, '(' .. createdBy, '+inf')
    end
    return redis.call('ZREVRANGE', jobs, from, from + count - 1)`,
});
