/** After the limit was lowered, the surplus goes with the next jobs that end. */
const REMOVED_AT_ONCE = 100;

/**
 * Keeps the latest of a project's jobs that failed or were cancelled: any member can make them without an end. Those of which
 * something is left are not among them. `own` are the keys of the job that has ended: record, log, journal.
 */
export const BOUND_UNSUCCESSFUL = `
  local function boundUnsuccessful(list, jobs, own, id, keepSeconds, most)
    local status, leftovers, endedAt = unpack(redis.call('HMGET', own[1], 'status', 'leftovers', 'updatedAt'))
    if most == 0 or (status ~= 'failed' and status ~= 'cancelled') then return end
    if leftovers and leftovers ~= '' and leftovers ~= '[]' then return end
    redis.call('ZADD', list, endedAt, id)
    redis.call('EXPIRE', list, keepSeconds)
    local extra = math.min(redis.call('ZCARD', list) - most, ${REMOVED_AT_ONCE})
    if extra <= 0 then return end
    for _, old in ipairs(redis.call('ZRANGE', list, 0, extra - 1)) do
      redis.call('ZREM', list, old)
      redis.call('ZREM', jobs, old)
      for _, key in ipairs(own) do redis.call('DEL', string.sub(key, 1, -string.len(id) - 1) .. old) end
    end
  end`;
