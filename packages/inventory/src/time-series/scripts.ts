import { defineScript } from '@gateway/store';

/** Adds an entry unless the hour has one. Removes those that are older than `keepSeconds`. */
export const addSnapshotScript = defineScript({
  name: 'add a snapshot',
  keys: ['snapshots'],
  args: ['hour', 'entry', 'keepSeconds'],
  withClock: true,
  lua: `
    redis.call('ZREMRANGEBYSCORE', snapshots, '-inf', '(' .. string.format('%.0f', now - keepSeconds * 1000))
    if redis.call('ZCOUNT', snapshots, hour, hour) > 0 then return 0 end
    redis.call('ZADD', snapshots, hour, entry)
    redis.call('EXPIRE', snapshots, keepSeconds)
    return 1`,
});
