/**
 * Writes a job's record, unless it is there already, and puts it in the indexes. A project that has too many
 * waiting is refused; before that, entries whose job is gone or has begun are dropped from the count. Each job drops
 * the oldest of the project's list whose records have expired, so that it does not grow for ever.
 *
 * KEYS: 1 record, 2 open, 3 waiting, 4 the project's list ('' in ARGV[4] keeps the job out of it).
 * ARGV: 1 job id, 2 time in ms, 3 most that may wait (0: any number), 4 '1' when listed, then pairs of fields.
 * The last field is `queued`. Gives 1 when written, 0 when it was there and is now this request's, too, -1 when refused.
 */
export const ENQUEUE_SCRIPT = `
  local there = redis.call('HGET', KEYS[1], 'queued')
  if there and there ~= ARGV[#ARGV] then redis.call('HSET', KEYS[1], 'joined', '1') end
  if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
  local record = string.sub(KEYS[1], 1, -string.len(ARGV[1]) - 1)
  local most = tonumber(ARGV[3])
  if most > 0 and redis.call('ZCARD', KEYS[3]) >= most then
    for _, id in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
      if redis.call('HGET', record .. id, 'status') ~= 'queued' then redis.call('ZREM', KEYS[3], id) end
    end
    if redis.call('ZCARD', KEYS[3]) >= most then return -1 end
  end
  redis.call('HSET', KEYS[1], unpack(ARGV, 5))
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
  redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
  if ARGV[4] == '1' then
    redis.call('ZADD', KEYS[4], ARGV[2], ARGV[1])
    for _, id in ipairs(redis.call('ZRANGE', KEYS[4], 0, 9)) do
      if redis.call('EXISTS', record .. id) == 0 then redis.call('ZREM', KEYS[4], id) end
    end
  end
  return 1`;

/**
 * Takes back a job that no queue has taken; one that runs all the same is asked to stop. Only whoever has written
 * the record may, as long as nobody else relies on it. KEYS as above. ARGV: 1 job id, 2 its `queued`.
 */
export const WITHDRAW_SCRIPT = `
  if redis.call('HGET', KEYS[1], 'queued') ~= ARGV[2] then return 0 end
  if redis.call('HGET', KEYS[1], 'joined') == '1' then return 0 end
  local status = redis.call('HGET', KEYS[1], 'status')
  if status == 'queued' then
    redis.call('DEL', KEYS[1])
    for key = 2, 4 do redis.call('ZREM', KEYS[key], ARGV[1]) end
  elseif status then redis.call('HSET', KEYS[1], 'cancelRequested', '1') end
  return 1`;

/** Gives status and `queued` ('' for none) of a job that is there from now on for another request as well. KEYS: 1 record. */
export const JOIN_SCRIPT = `
  local status, queued = unpack(redis.call('HMGET', KEYS[1], 'status', 'queued'))
  if not status then return false end
  redis.call('HSET', KEYS[1], 'joined', '1')
  return { status, queued or '' }`;
