import { defineScript } from '@gateway/store';

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
