/**
 * Writes a configuration and completes the intent of its delegation. The configuration of the same volume is replaced and
 * keeps its id, and what it has handled of the same schedule; its former delegation is retired. A write that is sent again
 * changes nothing.
 *
 * KEYS: 1 configurations of the project, 2 all, 3 intents, 4 retired, 5 prefix of records. ARGV: 1 volume, 2 id of a new
 * configuration, 3 intent, 4 the intent's value, 5 time in ms, then pairs of fields.
 * Returns the id; false when the intent is gone or was given up.
 */
export const SAVE_SCRIPT = `
  local id = redis.call('HGET', KEYS[1], ARGV[1])
  if id and redis.call('HGET', KEYS[5] .. id, 'intent') == ARGV[3] then return id end
  if redis.call('HGET', KEYS[3], ARGV[3]) ~= ARGV[4] then return false end
  redis.call('HDEL', KEYS[3], ARGV[3])
  if not id then
    id = ARGV[2]
    redis.call('HSET', KEYS[1], ARGV[1], id)
    redis.call('SADD', KEYS[2], id)
  end
  local record = KEYS[5] .. id
  local version, delegation, schedule, handled =
    unpack(redis.call('HMGET', record, 'version', 'delegation', 'schedule', 'handledUntil'))
  if delegation then redis.call('HSET', KEYS[4], id .. '/' .. version, delegation) end
  redis.call('HSETNX', record, 'createdAt', ARGV[5])
  redis.call('HINCRBY', record, 'version', 1)
  redis.call('HSET', record, 'id', id, 'intent', ARGV[3], unpack(ARGV, 6))
  if handled and redis.call('HGET', record, 'schedule') == schedule then
    redis.call('HSET', record, 'handledUntil', handled)
  end
  return id`;

/**
 * Removes a configuration and retires its delegation. KEYS: 1 configurations of the project, 2 all, 3 retired, 4 prefix of
 * records, 5 failed. ARGV: 1 volume, 2 the only id to remove ('' for any). Returns the id; false when there is none.
 */
export const REMOVE_SCRIPT = `
  local id = redis.call('HGET', KEYS[1], ARGV[1])
  if not id or (ARGV[2] ~= '' and ARGV[2] ~= id) then return false end
  local record = KEYS[4] .. id
  local version, delegation = unpack(redis.call('HMGET', record, 'version', 'delegation'))
  if delegation then redis.call('HSET', KEYS[3], id .. '/' .. version, delegation) end
  redis.call('DEL', record)
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('SREM', KEYS[2], id)
  redis.call('SREM', KEYS[5], id)
  return id`;

/**
 * Records that a due time was handled, and the outcome of a run that was skipped. KEYS: 1 record. ARGV: 1 due time in ms,
 * then pairs of fields. Returns 0 when the configuration is gone, 1 otherwise.
 */
export const HANDLED_SCRIPT = `
  local handled = redis.call('HGET', KEYS[1], 'handledUntil')
  if not handled then return 0 end
  if tonumber(handled) >= tonumber(ARGV[1]) then return 1 end
  redis.call('HSET', KEYS[1], 'handledUntil', ARGV[1], unpack(ARGV, 2))
  return 1`;

/**
 * Records the outcome of a run, unless a later run has recorded its own. KEYS: 1 record, 2 failed. ARGV: 1 the run's due time
 * in ms, 2 id, 3 whether the run failed, then pairs of fields.
 */
export const OUTCOME_SCRIPT = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  local last = redis.call('HGET', KEYS[1], 'lastRunDue')
  if last and tonumber(last) > tonumber(ARGV[1]) then return 0 end
  redis.call('HSET', KEYS[1], 'lastRunDue', ARGV[1], unpack(ARGV, 4))
  redis.call(ARGV[3] == 'true' and 'SADD' or 'SREM', KEYS[2], ARGV[2])
  return 1`;

/** Requests a check of the volumes of a project that has configurations. KEYS: 1 its configurations, 2 requested checks. ARGV: 1 project, 2 value. */
export const REQUEST_VOLUME_CHECK_SCRIPT = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
  return 1`;

/**
 * Records that the volume of a configuration was not found, or that it was. KEYS: 1 record. ARGV: 1 when it was not found in ms,
 * '' if it was. Returns when it was not found first; false when it was found, or when the configuration is gone.
 */
export const MISSING_SCRIPT = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return false end
  if ARGV[1] == '' then
    redis.call('HDEL', KEYS[1], 'missingSince')
    return false
  end
  redis.call('HSETNX', KEYS[1], 'missingSince', ARGV[1])
  return redis.call('HGET', KEYS[1], 'missingSince')`;

/** Replaces the value of a field if it is still the one that was read. KEYS: 1 hash. ARGV: 1 field, 2 read, 3 new ('' to delete). */
export const REPLACE_FIELD_SCRIPT = `
  if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
  if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1])
  else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
  return 1`;
