import { defineScript } from '@gateway/store';

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
