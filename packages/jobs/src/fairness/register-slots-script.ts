import { defineScript } from '@gateway/store';

/** Registers the slots of a worker, or renews the registration. Removes those of workers that are gone. */
export const registerSlotsScript = defineScript({
  name: 'register slots',
  keys: ['slots'],
  args: ['member', 'forMs'],
  withClock: true,
  lua: `
    redis.call('ZREMRANGEBYSCORE', slots, '-inf', now)
    return redis.call('ZADD', slots, now + forMs, member)`,
});
