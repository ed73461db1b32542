import { defineScript } from '@gateway/store';
import { APPEND_HISTORY, FORGET_HISTORY } from './append-history.ts';

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

/** Adds the request of an entry. A repeated write changes nothing. */
export const recordRequestScript = defineScript({
  name: 'record a request in the history',
  keys: ['history', 'historyParts', 'historyUnsuccessful', 'historyProjects'],
  args: ['id', 'project', 'request', 'isSuccessful', 'historyKeepSeconds', 'historyMaxRecords'],
  withClock: true,
  lua: `${APPEND_HISTORY}
    appendHistory(id, now, 'request', request, isSuccessful == '1')`,
});

/**
 * Returns the used memory of the server that has the key, and its limit, in bytes; a limit of 0 means none,
 * or that there are no histories.
 * In a Cluster the servers differ, and a command without a key would ask any of them.
 */
export const storeMemoryScript = defineScript({
  name: 'read the memory of the store',
  keys: ['historyProjects'],
  args: [],
  lua: `
    if redis.call('EXISTS', historyProjects) == 0 then return { 0, 0 } end
    local text = redis.call('INFO', 'memory')
    local function bytesOf(field) return tonumber(string.match(text, '\\n' .. field .. ':(%d+)')) or 0 end
    return { bytesOf('used_memory'), bytesOf('maxmemory') }`,
});

/** Removes the oldest entries of a project beyond `kept`, at most `atOnce`. Returns how many. */
export const trimHistoryScript = defineScript({
  name: 'trim the history of a project',
  keys: ['history', 'historyParts', 'historyUnsuccessful'],
  args: ['kept', 'atOnce'],
  lua: `${FORGET_HISTORY}
    local count = math.min(redis.call('ZCARD', history) - kept, tonumber(atOnce))
    if count <= 0 then return 0 end
    forgetHistory(redis.call('ZRANGE', history, 0, count - 1))
    return count`,
});
