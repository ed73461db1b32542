import { defineScript } from '@gateway/store';

/** Returns the count, and how long the window lasts. */
export const readScript = defineScript({
  name: 'read a rate limit',
  keys: ['counter'],
  lua: `return { tonumber(redis.call('GET', counter) or 0), redis.call('PTTL', counter) }`,
});
