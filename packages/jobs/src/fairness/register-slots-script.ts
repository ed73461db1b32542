import { defineScript } from '@gateway/redis';

/** Registers the slots of a worker, or renews the registration. */
export const registerSlotsScript = defineScript({
  name: 'register slots',
  keys: ['slots'],
  args: ['member', 'forMs'],
  withClock: true,
  lua: `return redis.call('ZADD', slots, now + forMs, member)`,
});
