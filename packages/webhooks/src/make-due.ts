/**
 * Lua for the scripts that learn that a receiver may be back: what waits for it is due at once. Scores keep
 * the fraction of a millisecond, because they are compared with the time of a claim, which has it.
 *
 * Reads the keys of `settleKeys`, and `now`.
 */
export const MAKE_DUE = `
  local function makeDue(id)
    local waiting = redis.call('ZRANGE', queuePrefix .. id, 0, -1)
    for _, event in ipairs(waiting) do
      redis.call('ZADD', queuePrefix .. id, now, event)
      local delivery = deliveryPrefix .. id .. ':' .. event
      if redis.call('EXISTS', delivery) == 1 then redis.call('HSET', delivery, 'nextAttemptAt', math.floor(now)) end
    end
    if #waiting > 0 then redis.call('ZADD', due, now, id) end
  end`;
