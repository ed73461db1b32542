import { defineScript } from '@gateway/store';
import { APPEND_JOB_CHANGE } from '../changes/append-change.ts';
import { stopWaiting } from '../fairness/fair-queueing.ts';
import { END_HOLD, HOLD_JOB } from '../records/hold-job.ts';

/**
 * Appends an event that says that the job is held, once for each hold. Does nothing if the job has been
 * released, or if an event has been appended since the caller read the log (`length`).
 */
export const announceHoldScript = defineScript({
  name: 'announce a hold',
  keys: ['record', 'log', 'feed'],
  args: ['job', 'heldAt', 'entry', 'length', 'feedLength'],
  lua: `
    if redis.call('HEXISTS', record, 'hold') == 0 or redis.call('HGET', record, 'announcedHold') == heldAt then
      return 0
    end
    redis.call('HSET', record, 'announcedHold', heldAt)
    if entry == '' or redis.call('LLEN', log) ~= tonumber(length) then return 1 end
    local seq = redis.call('RPUSH', log, entry)
    redis.call('XADD', feed, 'MAXLEN', '~', feedLength, '*', 'job', job, 'seq', seq, 'entry', entry)
    return 1`,
});

/** Holds a job that has not ended. Returns 1 if it is held now and was not before. */
export const holdScript = defineScript({
  name: 'hold a job',
  keys: [...stopWaiting.keys, 'record', 'held', 'outbox', 'listening', 'changes', 'feed'],
  args: ['project', 'job', 'isListed'],
  withClock: true,
  lua: `${stopWaiting.lua}
    ${APPEND_JOB_CHANGE}
    ${HOLD_JOB}
    local status, hold = unpack(redis.call('HMGET', record, 'status', 'hold'))
    if hold or (status ~= 'queued' and status ~= 'running') then return 0 end
    holdJob('administrator')
    return 1`,
});

/** Releases a job that is held. Returns 1 if it was held. */
export const releaseScript = defineScript({
  name: 'release a job',
  keys: ['record', 'held', 'listening', 'changes', 'feed'],
  args: ['job', 'project', 'isListed'],
  lua: `${APPEND_JOB_CHANGE}
    ${END_HOLD}
    if endHold() == 0 then return 0 end
    appendJobChange('updated', redis.call('HGET', record, 'status'))
    return 1`,
});
