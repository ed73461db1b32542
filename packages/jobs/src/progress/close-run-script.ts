import { defineScript } from '@gateway/store';

/** Notes that a run is over although its job is not, unless another run has claimed the job. */
export const closeRunScript = defineScript({
  name: 'close a run',
  keys: ['record'],
  args: ['fencingToken'],
  lua: `
    if redis.call('HGET', record, 'fencingToken') ~= fencingToken then return 0 end
    return redis.call('HDEL', record, 'openRun')`,
});
