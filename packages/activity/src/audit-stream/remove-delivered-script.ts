import { defineScript } from '@gateway/store';

/** Removes delivered events. Those that another process has removed are not counted again. */
export const removeDeliveredScript = defineScript({
  name: 'remove delivered audit events',
  keys: ['events', 'counts'],
  args: ['...ids'],
  lua: `
    local removed = redis.call('XDEL', events, unpack(ids))
    if removed > 0 then redis.call('HINCRBY', counts, 'delivered', removed) end`,
});
