/**
 * Lua for the scripts that learn that a receiver may be back: what waits for it is due at once.
 *
 * Reads the keys of `settleKeys`.
 */
export const MAKE_DUE = `
  local function makeDue(id, at)
    local waiting = redis.call('ZRANGE', queuePrefix .. id, 0, -1)
    for _, event in ipairs(waiting) do
      redis.call('ZADD', queuePrefix .. id, at, event)
      local delivery = deliveryPrefix .. id .. ':' .. event
      if redis.call('EXISTS', delivery) == 1 then redis.call('HSET', delivery, 'nextAttemptAt', at) end
    end
    if #waiting > 0 then redis.call('ZADD', due, at, id) end
  end`;
