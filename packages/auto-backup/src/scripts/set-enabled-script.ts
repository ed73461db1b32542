import { defineScript } from '@gateway/store';

/**
 * Pauses ('0') or resumes ('1') the configuration of a volume. Due times during a pause do not count. Returns
 * the id; null when there is none.
 */
export const setEnabledScript = defineScript({
  name: 'pause or resume an auto backup',
  keys: ['recordPrefix', 'ofProject'],
  args: ['volume', 'enabled', 'now'],
  lua: `
    local id = redis.call('HGET', ofProject, volume)
    if not id then return false end
    local record = recordPrefix .. id
    local before, handled = unpack(redis.call('HMGET', record, 'enabled', 'handledUntil'))
    if before == enabled then return id end
    redis.call('HSET', record, 'enabled', enabled, 'updatedAt', now)
    redis.call('HINCRBY', record, 'version', 1)
    if enabled == '1' and handled and tonumber(handled) < tonumber(now) then
      redis.call('HSET', record, 'handledUntil', now)
    end
    return id`,
});
