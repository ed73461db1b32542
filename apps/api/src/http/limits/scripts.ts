import { defineScript } from '@gateway/store';

/** Decrements an existing counter. A plain DECR would create an expired counter again, without an expiry. */
export const decrementScript = defineScript({
  name: 'decrement a rate limit',
  keys: ['counter'],
  lua: `if tonumber(redis.call('GET', counter) or 0) > 0 then redis.call('DECR', counter) end`,
});

/** Counts a request; the first one begins a window. Returns the count, and how long the window lasts. */
export const incrementScript = defineScript({
  name: 'increment a rate limit',
  keys: ['counter'],
  args: ['windowMs'],
  lua: `
    local remainingMs = redis.call('PTTL', counter)
    if remainingMs <= 0 then
      redis.call('SET', counter, 1, 'PX', windowMs)
      return { 1, tonumber(windowMs) }
    end
    return { redis.call('INCR', counter), remainingMs }`,
});

/** Returns the count, and how long the window lasts. */
export const readScript = defineScript({
  name: 'read a rate limit',
  keys: ['counter'],
  lua: `return { tonumber(redis.call('GET', counter) or 0), redis.call('PTTL', counter) }`,
});
