/**
 * Creates a record, unless another cluster of the project has the same name in node names. Repeating the
 * write changes nothing.
 *
 * KEYS: 1 record, 2 open, 3 names of the project, 4 clusters of the project. ARGV: 1 id, 2 name, 3 time of
 * creation in ms, then pairs of fields. Returns the id of the cluster that has the name.
 */
export const CREATE_SCRIPT = `
  local holder = redis.call('HGET', KEYS[3], ARGV[2])
  if holder then return holder end
  redis.call('HSET', KEYS[3], ARGV[2], ARGV[1])
  redis.call('SADD', KEYS[2], ARGV[1])
  redis.call('ZADD', KEYS[4], ARGV[3], ARGV[1])
  redis.call('HSET', KEYS[1], unpack(ARGV, 4))
  return ARGV[1]`;

/**
 * Changes a record. A cluster that becomes DELETED loses its name. A DELETED cluster
 * never gets another status.
 *
 * KEYS: 1 record, 2 open, 3 names of the project, 4 clusters of the project, 5 removing. ARGV: 1 id, 2 name,
 * 3 permitted statuses as JSON strings joined by commas, 4 new status ('' for none), then pairs of fields.
 * Returns 0 if the record does not exist or has another status.
 */
export const UPDATE_SCRIPT = `
  local status = redis.call('HGET', KEYS[1], 'status')
  if not status or not string.find(ARGV[3], status, 1, true) then return 0 end
  redis.call('HSET', KEYS[1], unpack(ARGV, 5))
  if ARGV[4] == '"DELETED"' then
    redis.call('SREM', KEYS[2], ARGV[1])
    redis.call('SADD', KEYS[5], ARGV[1])
    if redis.call('HGET', KEYS[3], ARGV[2]) == ARGV[1] then redis.call('HDEL', KEYS[3], ARGV[2]) end
  end
  return 1`;

/**
 * Removes a record without a job. KEYS: 1 record, 2 open, 3 names of the project, 4 clusters of the
 * project. ARGV: 1 id, 2 name.
 */
export const DISCARD_SCRIPT = `
  redis.call('DEL', KEYS[1])
  redis.call('SREM', KEYS[2], ARGV[1])
  redis.call('ZREM', KEYS[4], ARGV[1])
  if redis.call('HGET', KEYS[3], ARGV[2]) == ARGV[1] then redis.call('HDEL', KEYS[3], ARGV[2]) end
  return 1`;
