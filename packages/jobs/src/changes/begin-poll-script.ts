import { defineScript, takeLockFunction } from '@gateway/store';

/**
 * Begins a poll of a list of a project, for one process at a time. Returns how many milliseconds to wait, and
 * how often the list was touched: 0 and the number if the poll has begun. A poll is due after the time that
 * the last one has set, and after each touch. Returns -1 if nobody listens.
 */
export const beginPollScript = defineScript({
  name: 'begin a poll',
  keys: ['listening', 'lock'],
  args: ['list', 'holder', 'lockMs', 'busyMs'],
  withClock: true,
  lua: `${takeLockFunction}
    if redis.call('EXISTS', listening) == 0 then return { -1, '' } end
    local names = { 'touched:' .. list, 'seen:' .. list, 'due:' .. list }
    local touched, seen, due = unpack(redis.call('HMGET', listening, unpack(names)))
    touched = touched or '0'
    local wait = (tonumber(due) or 0) - now
    if wait > 0 and touched == (seen or '0') then return { math.ceil(wait), '' } end
    if not takeLock(lock, holder, lockMs) then return { tonumber(busyMs), '' } end
    return { 0, touched }`,
});
