import { defineScript } from '@gateway/store';

/** Decrements an existing counter. A plain DECR would create an expired counter again, without an expiry. */
export const decrementScript = defineScript({
  name: 'decrement a rate limit',
  keys: ['counter'],
  lua: `if tonumber(redis.call('GET', counter) or 0) > 0 then redis.call('DECR', counter) end`,
});
