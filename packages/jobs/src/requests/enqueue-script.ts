/**
 * Writes a job's record, unless it exists, and adds the job to the indexes. An exclusive job is refused while another
 * job on the same subject is unfinished. A job is also refused while its project has too many waiting jobs; entries of
 * jobs that are gone or have begun do not count and are removed first. Removes the oldest entries whose records have
 * expired from the job's lists, so that the lists do not grow forever.
 *
 * KEYS: 1 record, 2 open, 3 waiting, 4 the exclusive job of the subject, 5 waiting projects, then the lists that
 * contain the job.
 * ARGV: 1 job id, 2 time in ms, 3 maximum number of waiting jobs (0: no limit), 4 '1' for an exclusive job, 5 project,
 * then pairs of record fields, the last of which is `queued`.
 * Returns 1 when the record was written, 0 when it existed (the request has then joined the job), -1 when too many jobs
 * wait, and the id of the other job, as a string, when an exclusive job is refused.
 */
export const ENQUEUE_SCRIPT = `
  local there = redis.call('HGET', KEYS[1], 'queued')
  if there and there ~= ARGV[#ARGV] then redis.call('HSET', KEYS[1], 'joined', '1') end
  if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
  local record = string.sub(KEYS[1], 1, -string.len(ARGV[1]) - 1)
  if ARGV[4] == '1' then
    local other = redis.call('GET', KEYS[4])
    local status = other and redis.call('HGET', record .. other, 'status')
    if status == 'queued' or status == 'running' then return other end
  end
  local most = tonumber(ARGV[3])
  if most > 0 and redis.call('ZCARD', KEYS[3]) >= most then
    for _, id in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
      if redis.call('HGET', record .. id, 'status') ~= 'queued' then redis.call('ZREM', KEYS[3], id) end
    end
    if redis.call('ZCARD', KEYS[3]) >= most then return -1 end
  end
  redis.call('HSET', KEYS[1], unpack(ARGV, 6))
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
  redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
  redis.call('SADD', KEYS[5], ARGV[5])
  if ARGV[4] == '1' then
    redis.call('SET', KEYS[4], ARGV[1])
    redis.call('HSET', KEYS[1], 'exclusive', KEYS[4])
  end
  for at = 6, #KEYS do
    redis.call('ZADD', KEYS[at], ARGV[2], ARGV[1])
    for _, id in ipairs(redis.call('ZRANGE', KEYS[at], 0, 9)) do
      if redis.call('EXISTS', record .. id) == 0 then redis.call('ZREM', KEYS[at], id) end
    end
  end
  return 1`;

/**
 * Deletes a job that was not added to its queue, or cancels it if it runs all the same. Does nothing for a job that
 * another request has created or joined. KEYS as above. ARGV: 1 job id, 2 its `queued`.
 */
export const WITHDRAW_SCRIPT = `
  if redis.call('HGET', KEYS[1], 'queued') ~= ARGV[2] then return 0 end
  if redis.call('HGET', KEYS[1], 'joined') == '1' then return 0 end
  local status = redis.call('HGET', KEYS[1], 'status')
  if status == 'queued' then
    redis.call('DEL', KEYS[1])
    if redis.call('GET', KEYS[4]) == ARGV[1] then redis.call('DEL', KEYS[4]) end
    for key = 2, #KEYS do
      if key ~= 4 and key ~= 5 then redis.call('ZREM', KEYS[key], ARGV[1]) end
    end
  elseif status then redis.call('HSET', KEYS[1], 'cancelRequested', '1') end
  return 1`;

/** Joins a job, so that it cannot be withdrawn. KEYS: 1 record. Returns its status and `queued` ('' for none). */
export const JOIN_SCRIPT = `
  local status, queued = unpack(redis.call('HMGET', KEYS[1], 'status', 'queued'))
  if not status then return false end
  redis.call('HSET', KEYS[1], 'joined', '1')
  return { status, queued or '' }`;
