import { defineScript } from '@gateway/store';

/**
 * Creates a record that reserves GPUs in place of a job's record, and expires. One that is kept lasts at
 * least as long as before.
 */
export const holdGpusScript = defineScript({
  name: 'hold GPUs',
  keys: ['record'],
  args: ['seconds'],
  lua: `
    redis.call('HSET', record, 'status', 'running')
    if redis.call('TTL', record) < tonumber(seconds) then redis.call('EXPIRE', record, seconds) end`,
});
