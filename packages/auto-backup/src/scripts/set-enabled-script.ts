import { defineScript } from '@gateway/store';
import { LIMIT_HANDLED } from './limit-handled.ts';

/**
 * Pauses ('0') or resumes ('1') the configuration of a volume. Due times during a pause do not count. Returns
 * the id; null when there is none.
 */
export const setEnabledScript = defineScript({
  name: 'pause or resume an auto backup',
  keys: ['recordPrefix', 'ofProject'],
  args: ['volume', 'enabled', 'at'],
  withClock: true,
  lua: `${LIMIT_HANDLED}
    local id = redis.call('HGET', ofProject, volume)
    if not id then return false end
    local record = recordPrefix .. id
    local before, handled = unpack(redis.call('HMGET', record, 'enabled', 'handledUntil'))
    if enabled == '1' then
      if before ~= '1' and handled and tonumber(handled) < tonumber(at) then
        redis.call('HSET', record, 'handledUntil', at)
      end
      limitHandled(record)
    end
    if before == enabled then return id end
    redis.call('HSET', record, 'enabled', enabled, 'updatedAt', at)
    redis.call('HINCRBY', record, 'version', 1)
    return id`,
});
