import { defineScript } from '@gateway/store';

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
