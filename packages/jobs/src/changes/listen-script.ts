import { defineScript } from '@gateway/store';
import { changeMarks } from './change-entry.ts';

/**
 * Makes the writes in a project known for `keepSeconds` more. Returns the id of the newest entry of the
 * project's log, and 1 if the log has an entry at `position`.
 */
export const listenScript = defineScript({
  name: 'listen to a project',
  keys: ['listening', 'changes', 'listenedProjects'],
  args: ['project', 'position', 'length', 'keepSeconds'],
  withClock: true,
  lua: `
    if redis.call('EXISTS', changes) == 0 then
      redis.call('XADD', changes, '*', 'entry', '${changeMarks.anchor}')
    end
    redis.call('HSET', listening, 'length', length)
    redis.call('EXPIRE', listening, keepSeconds)
    redis.call('EXPIRE', changes, keepSeconds)
    redis.call('ZREMRANGEBYSCORE', listenedProjects, '-inf', now)
    redis.call('ZADD', listenedProjects, now + keepSeconds * 1000, project)
    local newest = redis.call('XREVRANGE', changes, '+', '-', 'COUNT', 1)[1][1]
    local found = position ~= '' and #redis.call('XRANGE', changes, position, position) or 0
    return { newest, found }`,
});
