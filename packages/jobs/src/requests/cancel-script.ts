import { defineScript } from '@gateway/redis';

/**
 * Requests the cancellation of a job that is queued or in the other status. Returns 1 when that was accepted.
 */
export const cancelScript = defineScript({
  name: 'cancel a job',
  keys: ['record'],
  args: ['otherStatus'],
  lua: `
    local status = redis.call('HGET', record, 'status')
    if status ~= 'queued' and status ~= otherStatus then return 0 end
    if redis.call('HGET', record, 'isCommitting') == '1' then return 0 end
    redis.call('HSET', record, 'cancelRequested', '1')
    return 1`,
});
