import { defineScript } from '@gateway/store';

/**
 * Releases the slot of a parked job, unless another run has claimed the job. Counts for how many milliseconds
 * the run has held it.
 */
export const releaseSlotScript = defineScript({
  name: 'release a slot',
  keys: ['record', 'running'],
  args: ['member', 'fencingToken', 'heldMs'],
  lua: `
    if redis.call('HGET', record, 'fencingToken') ~= fencingToken then return 0 end
    redis.call('HDEL', record, 'openRun')
    redis.call('HINCRBY', record, 'heldMs', heldMs)
    return redis.call('ZREM', running, member)`,
});
