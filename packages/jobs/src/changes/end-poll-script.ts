import { defineScript, releaseLockFunction } from '@gateway/store';

/**
 * Ends a poll: the next one is due after `nextMs`. Returns 1 if the list was touched after the poll had
 * begun.
 */
export const endPollScript = defineScript({
  name: 'end a poll',
  keys: ['listening', 'lock', 'known'],
  args: ['list', 'holder', 'touched', 'nextMs', 'keepSeconds'],
  withClock: true,
  lua: `${releaseLockFunction}
    redis.call('EXPIRE', known, keepSeconds)
    if not releaseLock(lock, holder) or redis.call('EXISTS', listening) == 0 then return 0 end
    redis.call('HSET', listening, 'seen:' .. list, touched, 'due:' .. list, string.format('%.0f', now + nextMs))
    return (redis.call('HGET', listening, 'touched:' .. list) or '0') == touched and 0 or 1`,
});
