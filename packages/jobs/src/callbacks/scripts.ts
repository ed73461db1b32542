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

/**
 * Stores a report. The same script sets the field `final`, so that a token is never invalidated without a
 * stored report. `finalHash` is the hash of a final report, and '' for another one. A final report is kept
 * for at least `keepSeconds`. Returns 1 when the report is stored or was stored before, 0 when it is refused.
 */
export const acceptReportScript = defineScript({
  name: 'accept a report',
  keys: ['callback', 'record'],
  args: ['tokenField', 'jobType', 'report', 'finalHash', 'keepSeconds'],
  lua: `
    if redis.call('HEXISTS', callback, tokenField) == 0 then return 0 end
    if redis.call('HGET', record, 'type') ~= jobType then return 0 end
    local final = redis.call('HGET', callback, 'final')
    if final then return final == finalHash and 1 or 0 end
    local status = redis.call('HGET', record, 'status')
    if status ~= 'queued' and status ~= 'running' then return 0 end
    if redis.call('HGET', callback, 'report') ~= report then redis.call('HINCRBY', callback, 'number', 1) end
    redis.call('HSET', callback, 'report', report)
    if finalHash ~= '' then
      redis.call('HSET', callback, 'final', finalHash)
      local remaining = redis.call('TTL', callback)
      if remaining < tonumber(keepSeconds) then redis.call('EXPIRE', callback, keepSeconds) end
    end
    return 1`,
});
