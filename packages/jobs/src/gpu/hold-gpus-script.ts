import { defineScript } from '@gateway/redis';

/** Makes a record that stands for a job which reserves GPUs, and expires. */
export const holdGpusScript = defineScript({
  name: 'hold GPUs',
  keys: ['record'],
  args: ['seconds'],
  lua: `
    redis.call('HSET', record, 'status', 'running')
    return redis.call('EXPIRE', record, seconds)`,
});
