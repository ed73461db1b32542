import { defineScript } from '@gateway/store';

/** Removes the record of a creation that has made nothing. One of another status stays. */
export const discardScript = defineScript({
  name: 'discard a lite cluster',
  keys: ['record', 'open', 'names', 'ofProject'],
  args: ['id', 'name'],
  lua: `
    local status = redis.call('HGET', record, 'status')
    if status and status ~= '"CREATING"' then return 0 end
    redis.call('DEL', record)
    redis.call('SREM', open, id)
    redis.call('ZREM', ofProject, id)
    if redis.call('HGET', names, name) == id then redis.call('HDEL', names, name) end
    return 1`,
});
