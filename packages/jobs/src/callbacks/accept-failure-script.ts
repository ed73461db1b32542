import { defineScript } from '@gateway/store';

/**
 * Stores the first failure that a machine reports, for at most `most` machines and tokens. Returns the type
 * of the job when the failure is stored or was stored before, and nothing when it is refused.
 */
export const acceptFailureScript = defineScript({
  name: 'accept a failure',
  keys: ['failures', 'record'],
  args: ['tokenField', 'machineField', 'failure', 'most'],
  lua: `
    if redis.call('HEXISTS', failures, tokenField) == 0 then return false end
    local status = redis.call('HGET', record, 'status')
    if status ~= 'queued' and status ~= 'running' then return false end
    if redis.call('HEXISTS', failures, machineField) == 0 then
      if redis.call('HLEN', failures) >= tonumber(most) then return false end
      redis.call('HSET', failures, machineField, failure)
    end
    return redis.call('HGET', record, 'type')`,
});
