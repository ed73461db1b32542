import { defineScript } from '@gateway/redis';

/** Releases a place in the queue. */
export const leaveTurnScript = defineScript({
  name: 'leave a turn',
  keys: ['places', 'leases'],
  args: ['place'],
  lua: `
    redis.call('ZREM', places, place)
    redis.call('ZREM', leases, place)`,
});
