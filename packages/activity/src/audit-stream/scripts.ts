import { defineScript } from '@gateway/store';

/**
 * Adds an event, unless as many wait as may. `lost` are further events that could not be added at all.
 * Returns 1 if the event was added.
 */
export const addEventScript = defineScript({
  name: 'add an audit event',
  keys: ['events', 'counts'],
  args: ['event', 'limit', 'lost'],
  lua: `
    if tonumber(lost) > 0 then redis.call('HINCRBY', counts, 'dropped', lost) end
    if redis.call('XLEN', events) >= tonumber(limit) then
      redis.call('HINCRBY', counts, 'dropped', 1)
      return 0
    end
    redis.call('XADD', events, '*', 'event', event)
    return 1`,
});

/** Removes delivered events. Those that another process has removed are not counted again. */
export const removeDeliveredScript = defineScript({
  name: 'remove delivered audit events',
  keys: ['events', 'counts'],
  args: ['...ids'],
  lua: `
    local removed = redis.call('XDEL', events, unpack(ids))
    if removed > 0 then redis.call('HINCRBY', counts, 'delivered', removed) end`,
});
