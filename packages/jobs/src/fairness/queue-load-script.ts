import { defineScript } from '@gateway/redis';
import { fairQueueing } from './fair-queueing.ts';

/**
 * Parked jobs do not count: they need no slot. Jobs above the limit of their project do not count either:
 * more workers would not run them. Returns live workers, slots, wanted slots and the age of the oldest
 * waiting job in milliseconds. Only reads, so that a server that refuses writes still has metrics: what is
 * stale in the sets is skipped.
 */
export const queueLoadScript = defineScript({
  name: 'load of a queue',
  keys: fairQueueing.keys,
  args: fairQueueing.args,
  withClock: true,
  lua: `${fairQueueing.lua}
    local limit = tonumber(runningLimit)
    local runs, wanted, oldestAt = {}, 0, now
    for _, member in ipairs(redis.call('ZRANGE', running, 0, -1)) do
      local project, id = string.match(member, '^(.*)/(.*)$')
      if redis.call('HGET', recordPrefix .. id, 'status') == 'running' then
        runs[project] = (runs[project] or 0) + 1
        wanted = wanted + 1
      end
    end
    for _, project in ipairs(redis.call('SMEMBERS', waitingProjects)) do
      local begun, oldest = 0, nil
      repeat
        oldest = redis.call('ZRANGE', waitingOf(project), begun, begun, 'WITHSCORES')
        local isFound = not oldest[1] or redis.call('HGET', recordPrefix .. oldest[1], 'status') == 'queued'
        if not isFound then begun = begun + 1 end
      until isFound
      if oldest[1] then
        oldestAt = math.min(oldestAt, tonumber(oldest[2]))
        local count = redis.call('ZCARD', waitingOf(project)) - begun
        if limit > 0 then count = math.min(count, math.max(0, limit - (runs[project] or 0))) end
        wanted = wanted + count
      end
    end
    return { #liveWorkers(), countSlots(), wanted, math.floor(now - oldestAt) }`,
});
