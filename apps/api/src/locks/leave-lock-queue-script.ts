import { defineScript } from '@gateway/store';

/** Leaves the queue for a lock, which releases a lock that is held. */
export const leaveLockQueueScript = defineScript({
  name: 'leave a lock queue',
  keys: ['queue', 'leases'],
  args: ['holder'],
  lua: `
    redis.call('ZREM', queue, holder)
    redis.call('ZREM', leases, holder)`,
});
