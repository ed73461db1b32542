import { defineScript } from '@gateway/redis';

/** Releases the slot of a parked job, unless another run has claimed the job. */
export const releaseSlotScript = defineScript({
  name: 'release a slot',
  keys: ['record', 'running'],
  args: ['member', 'fencingToken'],
  lua: `
    if redis.call('HGET', record, 'fencingToken') ~= fencingToken then return 0 end
    return redis.call('ZREM', running, member)`,
});
