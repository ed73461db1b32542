import { defineScript } from '@gateway/store';

/**
 * Records that a due time was handled, and the outcome of a skipped run (pairs of record fields). Returns 0
 * when the configuration is gone, 1 otherwise.
 */
export const markHandledScript = defineScript({
  name: 'mark a due time as handled',
  keys: ['record'],
  args: ['due', '...fields'],
  lua: `
    local handled = redis.call('HGET', record, 'handledUntil')
    if not handled then return 0 end
    if tonumber(handled) >= tonumber(due) then return 1 end
    redis.call('HSET', record, 'handledUntil', due, unpack(fields))
    return 1`,
});
