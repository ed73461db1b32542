import { defineScript } from '@gateway/store';
import { fairQueueing } from './fair-queueing.ts';

/** Returns the tag of a job that has not begun, `BLOCKED` if its project may not run it, nil for others. */
export const admitScript = defineScript({
  name: 'admit a job',
  keys: [...fairQueueing.keys, 'record'],
  args: [...fairQueueing.args, 'job'],
  lua: `${fairQueueing.lua}
    local status, createdAt, hold = unpack(redis.call('HMGET', record, 'status', 'createdAt', 'hold'))
    if status ~= 'queued' or hold then return nil end
    return admit(job, createdAt)`,
});
