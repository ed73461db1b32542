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

/** Counts a fault of an unfinished job. At the limit, the job is to be aborted with the failure. */
export const countFaultScript = defineScript({
  name: 'count a fault',
  keys: ['record'],
  args: ['limit', 'failure'],
  lua: `
    local status = redis.call('HGET', record, 'status')
    if status ~= 'queued' and status ~= 'running' then return 0 end
    if redis.call('HINCRBY', record, 'faults', 1) >= tonumber(limit) then
      redis.call('HSET', record, 'abortReason', failure)
    end
    return 1`,
});
