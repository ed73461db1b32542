import { defineScript } from '@gateway/store';

/** Deletes the record of a key that the run holds. */
export const releaseScript = defineScript({
  name: 'release an idempotency key',
  keys: ['record', 'lease', 'ofCaller'],
  args: ['run', 'digest'],
  lua: `
    if redis.call('HGET', record, 'run') ~= run then return 0 end
    redis.call('ZREM', ofCaller, digest)
    return redis.call('DEL', record, lease)`,
});
