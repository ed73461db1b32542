import { defineScript } from '@gateway/store';

/**
 * Entries after the marker ('' for the first ones), newest first: for each its id, its time, its request and
 * its job, with '' for a part that is missing. Null for an unknown marker.
 */
export const historyPageScript = defineScript({
  name: 'page of the history',
  keys: ['history', 'historyParts'],
  args: ['marker', 'count'],
  lua: `
    local from = 0
    if marker ~= '' then
      local rank = redis.call('ZREVRANK', history, marker)
      if not rank then return false end
      from = rank + 1
    end
    local found = redis.call('ZREVRANGE', history, from, from + count - 1, 'WITHSCORES')
    local entries = {}
    for at = 1, #found, 2 do
      local id = found[at]
      local parts = redis.call('HMGET', historyParts, 'request:' .. id, 'job:' .. id)
      table.insert(entries, { id, found[at + 1], parts[1] or '', parts[2] or '' })
    end
    return entries`,
});
