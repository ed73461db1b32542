import { defineScript } from './script.ts';

/**
 * Replaces the value of a field if it is still the expected one. The new value '' deletes the field. Returns
 * 1 if it did.
 */
export const replaceFieldScript = defineScript({
  name: 'replace a field',
  keys: ['hash'],
  args: ['field', 'expected', 'value'],
  lua: `
    if redis.call('HGET', hash, field) ~= expected then return 0 end
    if value == '' then redis.call('HDEL', hash, field) else redis.call('HSET', hash, field, value) end
    return 1`,
});
