import { defineScript } from '@gateway/store';

/** Creates a record that reserves GPUs in place of a job's record, and expires. */
export const holdGpusScript = defineScript({
  name: 'hold GPUs',
  keys: ['record'],
  args: ['seconds'],
  lua: `
    redis.call('HSET', record, 'status', 'running')
    return redis.call('EXPIRE', record, seconds)`,
});
