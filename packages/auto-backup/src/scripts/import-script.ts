import { defineScript } from '@gateway/store';
import { LIMIT_HANDLED } from './limit-handled.ts';

/**
 * Writes a configuration of another store (`fields` are pairs of record fields). With `overwrite`, it
 * replaces the stored one with its id, and another one of the volume, whose delegation is retired. Returns
 * 'created', 'replaced', 'kept' for one that is stored already, or 'taken' if the volume has another one.
 */
export const importScript = defineScript({
  name: 'import an auto backup',
  keys: ['recordPrefix', 'ofProject', 'all', 'failed', 'retired'],
  args: ['volume', 'id', 'overwrite', '...fields'],
  withClock: true,
  lua: `${LIMIT_HANDLED}
    local record = recordPrefix .. id
    local other = redis.call('HGET', ofProject, volume)
    local isStored = redis.call('EXISTS', record) == 1
    if overwrite ~= '1' then
      if other and other ~= id then return 'taken' end
      if isStored then return 'kept' end
    end
    if other and other ~= id then
      local version, delegation = unpack(redis.call('HMGET', recordPrefix .. other, 'version', 'delegation'))
      if delegation then redis.call('HSET', retired, other .. '/' .. version, delegation) end
      redis.call('DEL', recordPrefix .. other)
      redis.call('SREM', all, other)
      redis.call('SREM', failed, other)
    end
    redis.call('HSET', record, 'id', id, unpack(fields))
    limitHandled(record)
    redis.call('HSET', ofProject, volume, id)
    redis.call('SADD', all, id)
    return (isStored or other) and 'replaced' or 'created'`,
});
