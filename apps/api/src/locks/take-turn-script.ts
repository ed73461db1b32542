import { defineScript } from '@gateway/redis';

/**
 * Takes a place in the queue, or renews it, and returns the first place. Removes the places of dead processes. `places` are
 * scored by the time at which they were taken, `leases` by the time at which they expire.
 */
export const takeTurnScript = defineScript({
  name: 'take a turn',
  keys: ['places', 'leases'],
  args: ['place', 'leaseMs'],
  withClock: true,
  lua: `
    for _, expired in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now)) do
      redis.call('ZREM', places, expired)
      redis.call('ZREM', leases, expired)
    end
    redis.call('ZADD', places, 'NX', now, place)
    redis.call('ZADD', leases, now + leaseMs, place)
    redis.call('PEXPIRE', places, leaseMs)
    redis.call('PEXPIRE', leases, leaseMs)
    return redis.call('ZRANGE', places, 0, 0)[1]`,
});
