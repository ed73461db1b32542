import { defineScript } from '@gateway/store';
import { APPEND_JOB_CHANGE } from '../changes/append-change.ts';
import { stopWaiting } from '../fairness/fair-queueing.ts';
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

/**
 * Joins a job, so that it cannot be withdrawn. Returns its status and `queued` ('' for none); null without a
 * job.
 */
export const joinScript = defineScript({
  name: 'join a job',
  keys: ['record'],
  lua: `
    local status, queued = unpack(redis.call('HMGET', record, 'status', 'queued'))
    if not status then return false end
    redis.call('HSET', record, 'joined', '1')
    return { status, queued or '' }`,
});

/**
 * Deletes a job that was not added to its queue, or cancels it if it runs nevertheless. Does nothing for a
 * job that another request has created or joined.
 */
export const withdrawScript = defineScript({
  name: 'withdraw a job',
  keys: [
    ...stopWaiting.keys,
    'record',
    'open',
    'held',
    'exclusive',
    'listening',
    'changes',
    'feed',
    '...lists',
  ],
  args: ['project', 'job', 'queued', 'isListed'],
  lua: `${stopWaiting.lua}
    ${APPEND_JOB_CHANGE}
    if redis.call('HGET', record, 'queued') ~= queued then return 0 end
    if redis.call('HGET', record, 'joined') == '1' then return 0 end
    local status = redis.call('HGET', record, 'status')
    if status == 'queued' then
      redis.call('DEL', record)
      if redis.call('GET', exclusive) == job then redis.call('DEL', exclusive) end
      redis.call('ZREM', open, job)
      redis.call('HDEL', held, job)
      stopWaiting(job)
      for _, list in ipairs(lists) do redis.call('ZREM', list, job) end
      appendJobChange('deleted', nil)
    elseif status then redis.call('HSET', record, 'cancelRequested', '1') end
    return 1`,
});
