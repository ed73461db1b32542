/**
 * Lua for the scripts that end a delivery: it leaves its queue, and no longer has a body. `error` is '' for
 * none.
 *
 * Reads the keys of `settleKeys`.
 */
export const SETTLE = `
  local function settle(id, event, state, err)
    local member = id .. ':' .. event
    redis.call('ZREM', queuePrefix .. id, event)
    redis.call('ZREM', pendingOfProjects, member)
    redis.call('ZREM', pendingOfSite, member)
    if redis.call('EXISTS', queuePrefix .. id) == 0 then redis.call('ZREM', due, id) end
    local delivery = deliveryPrefix .. member
    if redis.call('EXISTS', delivery) == 0 then return end
    redis.call('HDEL', delivery, 'body', 'nextAttemptAt')
    redis.call('HSET', delivery, 'state', state, 'error', err)
  end`;

export const settleKeyNames = [
  'deliveryPrefix',
  'queuePrefix',
  'due',
  'pendingOfProjects',
  'pendingOfSite',
] as const;
