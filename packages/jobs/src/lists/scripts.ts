import { defineScript } from '@gateway/store';

/** Removes the jobs from a list for which nothing is left to do: their records expire, or have expired. */
export const forgetEndedScript = defineScript({
  name: 'forget ended jobs',
  keys: ['jobs', 'recordPrefix'],
  args: [],
  lua: `
    for _, id in ipairs(redis.call('ZRANGE', jobs, 0, -1)) do
      if redis.call('TTL', recordPrefix .. id) ~= -1 then redis.call('ZREM', jobs, id) end
    end
    return redis.call('ZCARD', jobs)`,
});

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

/**
 * Removes jobs without a record from a list. Checks the records again, because a job may have been queued
 * again with the same id.
 */
export const removeGoneScript = defineScript({
  name: 'remove gone jobs',
  keys: ['jobs', '...records'],
  args: ['...ids'],
  lua: `
    for at, id in ipairs(ids) do
      if redis.call('EXISTS', records[at]) == 0 then redis.call('ZREM', jobs, id) end
    end
    return 1`,
});
