/**
 * Writes a job's record, unless it is there already, and puts it in the indexes. A job that is to be the only one
 * on its subject is refused while another one is; a project that has too many waiting is refused as well, and before
 * that, entries whose job is gone or has begun are dropped from the count. Each job drops the oldest of its lists whose
 * records have expired, so that they do not grow for ever.
 *
 * KEYS: 1 record, 2 open, 3 waiting, 4 the key of the only one on its subject, 5 projects that wait, then the lists that
 * it stands in. ARGV: 1 job id, 2 time in ms, 3 most that may wait (0: any number), 4 '1' when it is to be the only one,
 * 5 project, then pairs of fields. The last field is `queued`. Gives 1 when written, 0 when it was there and is now this request's, too, -1 when
 * too many wait, and the id of the other one, as a text, when it is not the only one.
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
    redis.call('HSET', KEYS[1], 'only', KEYS[4])
  end
  for at = 6, #KEYS do
    redis.call('ZADD', KEYS[at], ARGV[2], ARGV[1])
    for _, id in ipairs(redis.call('ZRANGE', KEYS[at], 0, 9)) do
      if redis.call('EXISTS', record .. id) == 0 then redis.call('ZREM', KEYS[at], id) end
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
    if redis.call('GET', KEYS[4]) == ARGV[1] then redis.call('DEL', KEYS[4]) end
    for key = 2, #KEYS do
      if key ~= 4 and key ~= 5 then redis.call('ZREM', KEYS[key], ARGV[1]) end
    end
  elseif status then redis.call('HSET', KEYS[1], 'cancelRequested', '1') end
  return 1`;

/** Gives status and `queued` ('' for none) of a job that is there from now on for another request as well. KEYS: 1 record. */
export const JOIN_SCRIPT = `
  local status, queued = unpack(redis.call('HMGET', KEYS[1], 'status', 'queued'))
  if not status then return false end
  redis.call('HSET', KEYS[1], 'joined', '1')
  return { status, queued or '' }`;
