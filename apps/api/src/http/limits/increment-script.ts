import { defineScript } from '@gateway/store';

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
