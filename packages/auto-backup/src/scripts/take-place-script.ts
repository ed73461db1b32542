import { defineScript } from '@gateway/store';

/**
 * Takes a place among the runs at once (`limit`, 0 for no limit). Returns 1, also for a configuration that
 * has one; otherwise 0, and the configuration waits.
 */
export const takePlaceScript = defineScript({
  name: 'take a place among the runs',
  keys: ['running', 'waiting'],
  args: ['id', 'limit'],
  withClock: true,
  lua: `
    local most = tonumber(limit)
    if most > 0 and redis.call('ZCARD', running) >= most and not redis.call('ZSCORE', running, id) then
      redis.call('ZADD', waiting, 'NX', now, id)
      return 0
    end
    redis.call('ZADD', running, now, id)
    redis.call('ZREM', waiting, id)
    return 1`,
});
