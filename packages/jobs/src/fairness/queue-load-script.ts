import { defineScript } from '@gateway/redis';
import { fairQueueing } from './fair-queueing.ts';

/**
 * Parked jobs do not count: they need no slot. Jobs above the limit of their project do not count either:
 * more workers would not run them. Returns live workers, slots, wanted slots and the age of the oldest
 * waiting job in milliseconds.
 */
export const queueLoadScript = defineScript({
  name: 'load of a queue',
  keys: fairQueueing.keys,
  args: fairQueueing.args,
  withClock: true,
  lua: `${fairQueueing.lua}
    local limit = tonumber(runningLimit)
    local slotCount = countSlots()
    dropStale()
    local wanted, oldestAt = redis.call('ZCARD', running), now
    for _, project in ipairs(redis.call('SMEMBERS', waitingProjects)) do
      local oldest = oldestWaiting(project)
      if oldest[1] then
        oldestAt = math.min(oldestAt, tonumber(oldest[2]))
        local count = redis.call('ZCARD', waitingOf(project))
        if limit > 0 then
          local runs = redis.call('ZLEXCOUNT', running, '[' .. project .. '/', '(' .. project .. '0')
          count = math.min(count, math.max(0, limit - runs))
        end
        wanted = wanted + count
      end
    end
    return { redis.call('ZCARD', slots), slotCount, wanted, math.floor(now - oldestAt) }`,
});
