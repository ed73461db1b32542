import { defineScript } from '@gateway/store';
import { APPEND_JOB_CHANGE } from '../changes/append-change.ts';
import { stopWaiting } from '../fairness/fair-queueing.ts';
import { HOLD_JOB } from '../records/hold-job.ts';

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
