/** After the limit was lowered, the surplus is removed with the next jobs that end. */
const REMOVED_AT_ONCE = 100;
/**
 * How many jobs of a resource are searched for one that is kept longer. Those are its latest. The list of a
 * project with more jobs does not expire: unfinished ones may be older.
 */
const OPEN_SEARCHED = 50;

/**
 * Lua for the scripts that end a job's work: its keys expire, because nothing is left to do for it. Keeps
 * only the latest of a project's jobs that failed or were cancelled, because any member can make them without
 * end. Jobs with leftovers do not count.
 *
 * Reads the keys `record`, `log`, `journal` and `resourceJobsPrefix`, and the arguments `job`, `keepSeconds`
 * and `unsuccessfulLimit` (0 to keep all). `fields` are those of the record. `unsuccessful` and `jobs` are
 * lists of the project.
 */
export const LET_EXPIRE = `
  local function recordOf(id) return string.sub(record, 1, -string.len(job) - 1) .. id end
  local function jobsOfResource(project, resource)
    return resource and resource ~= '' and resourceJobsPrefix .. project .. ':' .. resource
  end
  local function expireWithRecords(list)
    for _, other in ipairs(redis.call('ZREVRANGE', list, 0, ${OPEN_SEARCHED - 1})) do
      if redis.call('TTL', recordOf(other)) == -1 then return end
    end
    redis.call('EXPIRE', list, keepSeconds)
  end
  local function letExpire(fields, unsuccessful, jobs)
    redis.call('HDEL', record, 'queued')
    local own = { record, log, journal }
    for _, key in ipairs(own) do redis.call('EXPIRE', key, keepSeconds) end
    local status, leftovers = fields.status, fields.leftovers
    local ofResource = jobsOfResource(fields.projectId, fields.resourceId)
    if ofResource then expireWithRecords(ofResource) end
    if redis.call('ZCARD', jobs) <= ${OPEN_SEARCHED} then expireWithRecords(jobs) end
    local limit = tonumber(unsuccessfulLimit)
    if limit == 0 or (status ~= 'failed' and status ~= 'cancelled') then return end
    if leftovers and leftovers ~= '' and leftovers ~= '[]' then return end
    redis.call('ZADD', unsuccessful, fields.updatedAt, job)
    redis.call('EXPIRE', unsuccessful, keepSeconds)
    local extra = math.min(redis.call('ZCARD', unsuccessful) - limit, ${REMOVED_AT_ONCE})
    if extra <= 0 then return end
    for _, old in ipairs(redis.call('ZRANGE', unsuccessful, 0, extra - 1)) do
      redis.call('ZREM', unsuccessful, old)
      redis.call('ZREM', jobs, old)
      local ofOldResource = jobsOfResource(unpack(redis.call('HMGET', recordOf(old), 'projectId', 'resourceId')))
      if ofOldResource then redis.call('ZREM', ofOldResource, old) end
      for _, key in ipairs(own) do redis.call('DEL', string.sub(key, 1, -string.len(job) - 1) .. old) end
    end
  end`;
