import { defineScript } from '@gateway/store';

/**
 * Ends a poll: the next one is due after `nextMs`. Returns 1 if the list was touched after the poll had
 * begun.
 */
export const endPollScript = defineScript({
  name: 'end a poll',
  keys: ['listening', 'known'],
  args: ['list', 'holder', 'touched', 'nextMs', 'keepSeconds'],
  withClock: true,
  lua: `
    redis.call('EXPIRE', known, keepSeconds)
    local lockField = 'lock:' .. list
    local lock = redis.call('HGET', listening, lockField)
    if not lock or string.match(lock, ' (.*)$') ~= holder then return 0 end
    redis.call('HDEL', listening, lockField)
    redis.call('HSET', listening, 'seen:' .. list, touched, 'due:' .. list, string.format('%.0f', now + nextMs))
    return (redis.call('HGET', listening, 'touched:' .. list) or '0') == touched and 0 or 1`,
});
