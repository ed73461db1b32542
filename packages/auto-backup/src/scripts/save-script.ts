import { defineScript } from '@gateway/store';
import { LIMIT_HANDLED } from './limit-handled.ts';

/**
 * Writes a configuration and completes the intent of its delegation. Replaces the configuration of the same
 * volume, which keeps its id and the due times that it has handled of the same schedule, ends its pause and
 * retires its former delegation; the volume is there. Repeating the write changes nothing.
 *
 * `fields` are pairs of record fields. Returns the id; null when the intent is gone or was abandoned.
 */
export const saveScript = defineScript({
  name: 'save an auto backup',
  keys: ['recordPrefix', 'ofProject', 'all', 'intents', 'retired'],
  args: ['volume', 'newId', 'intent', 'intentValue', 'createdAt', '...fields'],
  withClock: true,
  lua: `${LIMIT_HANDLED}
    local id = redis.call('HGET', ofProject, volume)
    if id and redis.call('HGET', recordPrefix .. id, 'intent') == intent then return id end
    if redis.call('HGET', intents, intent) ~= intentValue then return false end
    redis.call('HDEL', intents, intent)
    if not id then
      id = newId
      redis.call('HSET', ofProject, volume, id)
      redis.call('SADD', all, id)
    end
    local record = recordPrefix .. id
    local version, delegation, schedule, handled, enabled =
      unpack(redis.call('HMGET', record, 'version', 'delegation', 'schedule', 'handledUntil', 'enabled'))
    if delegation then redis.call('HSET', retired, id .. '/' .. version, delegation) end
    redis.call('HSETNX', record, 'createdAt', createdAt)
    redis.call('HINCRBY', record, 'version', 1)
    redis.call('HSET', record, 'id', id, 'intent', intent, unpack(fields))
    redis.call('HDEL', record, 'missingSince')
    if enabled == '1' and redis.call('HGET', record, 'schedule') == schedule then
      redis.call('HSET', record, 'handledUntil', handled)
    end
    limitHandled(record)
    return id`,
});
