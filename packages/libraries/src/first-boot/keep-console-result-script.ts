import { defineScript } from '@gateway/redis';

/** Stores what the console log says, unless the state has changed since it was read. Returns 1 if stored. */
export const keepConsoleResultScript = defineScript({
  name: 'keep the result of a first boot from the console log',
  keys: ['state', 'failures'],
  args: ['owner', 'expected', 'newState', 'isFailure', 'now', 'keepSeconds', 'failuresSince'],
  lua: `
    if (redis.call('GET', state) or '') ~= expected then return 0 end
    redis.call('SET', state, newState, 'EX', keepSeconds)
    if isFailure == '1' then
      redis.call('ZADD', failures, now, owner)
      redis.call('ZREMRANGEBYSCORE', failures, '-inf', failuresSince)
    end
    return 1`,
});
