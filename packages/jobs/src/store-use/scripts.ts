import { defineScript } from '@gateway/store';
import { detectOldStore } from './detect-old-store.ts';

/**
 * Removes the entry of a process that stops in order. The last one that lives also removes the entries of
 * processes that have died before: the store was not left in the middle of their work. A process without an
 * entry has not used the store, and decides nothing.
 */
export const endUseScript = defineScript({
  name: 'end the use of the store',
  keys: ['uses'],
  args: ['process', 'liveMs'],
  withClock: true,
  lua: `
    if redis.call('ZREM', uses, process) == 0 then return end
    local newest = redis.call('ZREVRANGE', uses, 0, 0, 'WITHSCORES')[2]
    if newest and now - newest > tonumber(liveMs) then redis.call('DEL', uses) end`,
});

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

/**
 * Renews the entry of a process that uses the store, and decides whether jobs are held. A process that finds
 * its last entry in a store which another one has taken for old ends that hold: the store was only away, and
 * has everything.
 *
 * Returns the time of the renewal, the entry before it or else the latest one, and, while jobs are held, the
 * fields of the hold.
 */
export const renewUseScript = defineScript({
  name: 'renew the use of the store',
  keys: [...detectOldStore.keys],
  args: [...detectOldStore.args],
  withClock: true,
  lua: `${detectOldStore.lua}
    local held = isHeld()
    local cause, usedAt, heldAt = unpack(redis.call('HMGET', hold, 'cause', 'usedAt', 'heldAt'))
    local renewed, last = tonumber(renewedAt), tonumber(usedAt or 0)
    local lived = renewed > 0 and last >= renewed and last - renewed <= tonumber(oldAfterMs)
    if cause == 'unused' and lived and tonumber(redis.call('ZSCORE', uses, process) or 0) >= renewed then
      redis.call('DEL', hold)
      held = false
    end
    local at, before = math.floor(now), ownUse()
    redis.call('ZADD', uses, at, process)
    if held then return { at, before, cause, usedAt, heldAt } end
    redis.call('ZREMRANGEBYSCORE', uses, '-inf', '(' .. at - oldAfterMs)
    return { at, before }`,
});
