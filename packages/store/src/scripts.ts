import { releaseLockFunction } from './lock-functions.ts';
import { defineScript } from './script.ts';

/**
 * Writes a key that expires. Returns the error of a server that refuses the write, as text, or ''. As an
 * error, it would make the connection reconnect, and commands of others fail.
 */
export const probeWritesScript = defineScript({
  name: 'probe of writes',
  keys: ['probe'],
  args: ['forMs'],
  lua: `return redis.pcall('SET', probe, '1', 'PX', forMs).err or ''`,
});

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

export const unlockScript = defineScript({
  name: 'unlock',
  keys: ['lock'],
  args: ['holder'],
  lua: `${releaseLockFunction}
    releaseLock(lock, holder)`,
});
