import { defineScript } from '@gateway/store';

/** Ends a hold, and counts as a use of the store, so that the processes which start next do not hold it. */
export const releaseHoldScript = defineScript({
  name: 'release the hold of the store',
  keys: ['uses', 'hold'],
  args: ['process'],
  withClock: true,
  lua: `
    redis.call('ZADD', uses, math.floor(now), process)
    return redis.call('DEL', hold)`,
});
