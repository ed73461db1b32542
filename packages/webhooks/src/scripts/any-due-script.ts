import { defineScript } from '@gateway/store';

/** Returns 1 if an event of some webhook is due. */
export const anyDueScript = defineScript({
  name: 'any due webhook',
  keys: ['due'],
  withClock: true,
  lua: `
    return #redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, 1)`,
});
