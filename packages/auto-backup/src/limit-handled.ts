/**
 * Lua for scripts with a clock: due times that are still to come are not handled. A process whose clock is
 * ahead would otherwise switch the configuration off until then, and setting it up again would not help.
 */
export const LIMIT_HANDLED = `
    local function limitHandled(ofRecord)
      local latest = math.floor(now)
      if tonumber(redis.call('HGET', ofRecord, 'handledUntil') or 0) > latest then
        redis.call('HSET', ofRecord, 'handledUntil', latest)
      end
    end`;
