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
