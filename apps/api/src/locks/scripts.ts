import { defineScript } from '@gateway/store';

/**
 * Enters the queue for a lock, or renews the lease of an entry. Returns the first entry of the queue, which
 * holds the lock. Removes those whose lease has expired. `queue` is scored by the time of entry, `leases` by
 * the time of expiry.
 */
export const enterLockQueueScript = defineScript({
  name: 'enter a lock queue',
  keys: ['queue', 'leases'],
  args: ['holder', 'leaseMs'],
  withClock: true,
  lua: `
    for _, expired in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now)) do
      redis.call('ZREM', queue, expired)
      redis.call('ZREM', leases, expired)
    end
    redis.call('ZADD', queue, 'NX', now, holder)
    redis.call('ZADD', leases, now + leaseMs, holder)
    redis.call('PEXPIRE', queue, leaseMs)
    redis.call('PEXPIRE', leases, leaseMs)
    return redis.call('ZRANGE', queue, 0, 0)[1]`,
});

/** Leaves the queue for a lock, which releases a lock that is held. */
export const leaveLockQueueScript = defineScript({
  name: 'leave a lock queue',
  keys: ['queue', 'leases'],
  args: ['holder'],
  lua: `
    redis.call('ZREM', queue, holder)
    redis.call('ZREM', leases, holder)`,
});
