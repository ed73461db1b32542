import { defineScript } from '@gateway/store';

/**
 * Removes the configuration of a volume and retires its delegation. `onlyId` is the only id to remove, or ''
 * for any. Returns the id; null when there is none.
 */
export const removeScript = defineScript({
  name: 'remove an auto backup',
  keys: ['recordPrefix', 'ofProject', 'all', 'failed', 'retired'],
  args: ['volume', 'onlyId'],
  lua: `
    local id = redis.call('HGET', ofProject, volume)
    if not id or (onlyId ~= '' and onlyId ~= id) then return false end
    local record = recordPrefix .. id
    local version, delegation = unpack(redis.call('HMGET', record, 'version', 'delegation'))
    if delegation then redis.call('HSET', retired, id .. '/' .. version, delegation) end
    redis.call('DEL', record)
    redis.call('HDEL', ofProject, volume)
    redis.call('SREM', all, id)
    redis.call('SREM', failed, id)
    return id`,
});
