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
