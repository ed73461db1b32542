import { defineScript } from './script.ts';

/** Releases a lock if the caller still holds it. Returns 1 if it did. */
export const unlockScript = defineScript({
  name: 'unlock',
  keys: ['lock'],
  args: ['holder'],
  lua: `
    if redis.call('GET', lock) ~= holder then return 0 end
    return redis.call('DEL', lock)`,
});
