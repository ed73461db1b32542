import { defineScript } from '@gateway/redis';

/** Returns the ids of a page of jobs after the marker ('' for the first page); null for an unknown marker. */
export const jobPageScript = defineScript({
  name: 'page of jobs',
  keys: ['jobs'],
  args: ['marker', 'count'],
  lua: `
    local from = 0
    if marker ~= '' then
      local rank = redis.call('ZREVRANK', jobs, marker)
      if not rank then return false end
      from = rank + 1
    end
    return redis.call('ZREVRANGE', jobs, from, from + count - 1)`,
});
