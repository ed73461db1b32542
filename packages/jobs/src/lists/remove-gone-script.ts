import { defineScript } from '@gateway/redis';

/** Removes jobs without a record from a list. Checks again, so that a job stays that was queued again under the same id. */
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
