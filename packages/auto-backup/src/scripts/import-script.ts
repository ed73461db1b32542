import { defineScript } from '@gateway/store';
import { LIMIT_HANDLED } from './limit-handled.ts';

/**
 * Writes a configuration of another store (`fields` are pairs of record fields). With `overwrite`, it
 * replaces the stored one with its id and another one of the volume, and retires their delegations. That of
 * the stored one stays if it is the same, without `retires`. `expected` is its sealed delegation, or ''.
 *
 * Returns 'created', 'replaced', 'kept' for one that is stored already, 'taken' if the volume has another
 * one, or 'changed' if the stored one has another delegation.
 */
export const importScript = defineScript({
  name: 'import an auto backup',
  keys: ['recordPrefix', 'ofProject', 'all', 'failed', 'retired'],
  args: ['volume', 'id', 'overwrite', 'expected', 'retires', 'version', '...fields'],
  withClock: true,
  lua: `${LIMIT_HANDLED}
    local record = recordPrefix .. id
    local other = redis.call('HGET', ofProject, volume)
    local isStored = redis.call('EXISTS', record) == 1
    if overwrite ~= '1' then
      if other and other ~= id then return 'taken' end
      if isStored then return 'kept' end
    end
    local storedVersion, stored = unpack(redis.call('HMGET', record, 'version', 'delegation'))
    if (stored or '') ~= expected then return 'changed' end
    if stored and retires == '1' then redis.call('HSET', retired, id .. '/' .. storedVersion, stored) end
    if other and other ~= id then
      local otherVersion, delegation = unpack(redis.call('HMGET', recordPrefix .. other, 'version', 'delegation'))
      if delegation then redis.call('HSET', retired, other .. '/' .. otherVersion, delegation) end
      redis.call('DEL', recordPrefix .. other)
      redis.call('SREM', all, other)
      redis.call('SREM', failed, other)
    end
    local nextVersion = math.max(tonumber(storedVersion or 0) + 1, tonumber(version))
    redis.call('HSET', record, 'id', id, 'version', nextVersion, unpack(fields))
    limitHandled(record)
    redis.call('HSET', ofProject, volume, id)
    redis.call('SADD', all, id)
    return (isStored or other) and 'replaced' or 'created'`,
});
