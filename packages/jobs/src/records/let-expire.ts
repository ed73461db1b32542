/** After the limit was lowered, the surplus is removed with the next jobs that end. */
const REMOVED_AT_ONCE = 100;

/**
 * Lua for the scripts that end a job's work: its keys expire, because nothing is left to do for it. Keeps
 * only the latest of a project's jobs that failed or were cancelled, because any member can make them without
 * end. Jobs with leftovers do not count.
 *
 * Reads the keys `record`, `log` and `journal`, and the arguments `job`, `keepSeconds` and
 * `unsuccessfulLimit` (0 to keep all). `unsuccessful` and `jobs` are lists of the project.
 */
export const LET_EXPIRE = `
  local function letExpire(unsuccessful, jobs)
    redis.call('HDEL', record, 'queued')
    local own = { record, log, journal }
    for _, key in ipairs(own) do redis.call('EXPIRE', key, keepSeconds) end
    local status, leftovers, endedAt = unpack(redis.call('HMGET', record, 'status', 'leftovers', 'updatedAt'))
    local limit = tonumber(unsuccessfulLimit)
    if limit == 0 or (status ~= 'failed' and status ~= 'cancelled') then return end
    if leftovers and leftovers ~= '' and leftovers ~= '[]' then return end
    redis.call('ZADD', unsuccessful, endedAt, job)
    redis.call('EXPIRE', unsuccessful, keepSeconds)
    local extra = math.min(redis.call('ZCARD', unsuccessful) - limit, ${REMOVED_AT_ONCE})
    if extra <= 0 then return end
    for _, old in ipairs(redis.call('ZRANGE', unsuccessful, 0, extra - 1)) do
      redis.call('ZREM', unsuccessful, old)
      redis.call('ZREM', jobs, old)
      for _, key in ipairs(own) do redis.call('DEL', string.sub(key, 1, -string.len(job) - 1) .. old) end
    end
  end`;
