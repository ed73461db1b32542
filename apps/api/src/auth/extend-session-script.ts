import { defineScript } from '@gateway/store';

/** Writes a session's record unless the record has changed since it was read. Returns 1 if it did. */
export const extendSessionScript = defineScript({
  name: 'extend a session',
  keys: ['session'],
  args: ['read', 'extended'],
  lua: `
    if redis.call('GET', session) ~= read then return 0 end
    redis.call('SET', session, extended, 'KEEPTTL')
    return 1`,
});
