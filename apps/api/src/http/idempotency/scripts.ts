import { defineScript } from '@gateway/store';

/**
 * Stores a response for at most `ttlMs`. Returns the response that was stored before, if any. Does nothing if
 * another run has acquired the key.
 */
export const completeScript = defineScript({
  name: 'complete an idempotency key',
  keys: ['record', 'lease', 'ofCaller'],
  args: ['run', 'digest', 'response', 'ttlMs'],
  withClock: true,
  lua: `
    local holder, earlier = unpack(redis.call('HMGET', record, 'run', 'response'))
    if holder ~= run then return false end
    if earlier then return earlier end
    redis.call('HSET', record, 'response', response)
    redis.call('DEL', lease)
    if redis.call('PTTL', record) > tonumber(ttlMs) then
      redis.call('PEXPIRE', record, ttlMs)
      redis.call('ZADD', ofCaller, 'XX', now + ttlMs, digest)
    end
    return false`,
});

/** Deletes the record of a key that the run holds. */
export const releaseScript = defineScript({
  name: 'release an idempotency key',
  keys: ['record', 'lease', 'ofCaller'],
  args: ['run', 'digest'],
  lua: `
    if redis.call('HGET', record, 'run') ~= run then return 0 end
    redis.call('ZREM', ofCaller, digest)
    return redis.call('DEL', record, lease)`,
});

/** Renews a lease, also an expired one unless another run has acquired the key. */
export const renewScript = defineScript({
  name: 'renew an idempotency lease',
  keys: ['record', 'lease'],
  args: ['run', 'leaseMs'],
  lua: `
    if redis.call('HGET', record, 'run') ~= run then return 0 end
    redis.call('SET', lease, run, 'PX', leaseMs)
    return 1`,
});

/**
 * Reserves a key for a run. `leaseMs` 0 is no lease; `keysPerCaller` 0 is any number of keys. A record
 * without lease and response was left by a process that died. Returns the kind of `Reservation`, and its
 * value.
 *
 * A sorted set holds the caller's digests, scored by the expiry of their records. Expired digests are
 * removed, and the set expires with its last record. A crash can therefore not leave a wrong count for
 * longer.
 */
export const reserveScript = defineScript({
  name: 'reserve an idempotency key',
  keys: ['record', 'lease', 'ofCaller'],
  args: ['run', 'digest', 'ttlMs', 'leaseMs', 'keysPerCaller', '...fingerprints'],
  withClock: true,
  lua: `
    local function acquire()
      redis.call('HSET', record, 'run', run)
      if leaseMs ~= '0' then redis.call('SET', lease, run, 'PX', leaseMs) end
      return { 'acquired' }
    end
    local stored, holder, response = unpack(redis.call('HMGET', record, 'fingerprint', 'run', 'response'))
    if not stored then
      redis.call('ZREMRANGEBYSCORE', ofCaller, '-inf', now)
      local limit = tonumber(keysPerCaller)
      if limit > 0 and redis.call('ZCARD', ofCaller) >= limit then
        local first = redis.call('ZRANGE', ofCaller, 0, 0, 'WITHSCORES')
        return { 'full', tostring(math.ceil(first[2] - now)) }
      end
      redis.call('ZADD', ofCaller, now + ttlMs, digest)
      if redis.call('PTTL', ofCaller) < tonumber(ttlMs) then redis.call('PEXPIRE', ofCaller, ttlMs) end
      redis.call('HSET', record, 'fingerprint', fingerprints[1])
      redis.call('PEXPIRE', record, ttlMs)
      return acquire()
    end
    local isSame = false
    for _, fingerprint in ipairs(fingerprints) do isSame = isSame or fingerprint == stored end
    if not isSame then return { 'mismatch' } end
    if response then return { 'completed', response } end
    if holder == run then return { 'acquired' } end
    if leaseMs == '0' or redis.call('EXISTS', lease) == 1 then return { 'in_progress', holder } end
    return acquire()`,
});
