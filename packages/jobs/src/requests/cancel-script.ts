import { defineScript } from '@gateway/store';
import { END_HOLD } from '../records/hold-job.ts';

/**
 * Requests the cancellation of a job that is queued or in the other status. A job that is held
 * is released, because it rolls back. Returns 1 when that was accepted.
 */
export const cancelScript = defineScript({
  name: 'cancel a job',
  keys: ['record', 'held'],
  args: ['job', 'otherStatus'],
  lua: `${END_HOLD}
    local status = redis.call('HGET', record, 'status')
    if status ~= 'queued' and status ~= otherStatus then return 0 end
    if redis.call('HGET', record, 'isCommitting') == '1' then return 0 end
    redis.call('HSET', record, 'cancelRequested', '1')
    endHold()
    return 1`,
});
