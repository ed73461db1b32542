import { defineScript } from '@gateway/store';

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
