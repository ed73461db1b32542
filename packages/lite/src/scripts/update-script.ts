import { defineScript } from '@gateway/store';

/**
 * Changes a record. A cluster that becomes DELETED loses its name; one that is DELETED never gets another
 * status.
 *
 * `permitted` are statuses as JSON strings, joined by commas; `newStatus` is one of them, or '' for none.
 * `fields` are pairs of record fields. Returns 0 when the record is gone or has another status.
 */
export const updateScript = defineScript({
  name: 'update a lite cluster',
  keys: ['record', 'open', 'names', 'removing'],
  args: ['id', 'name', 'permitted', 'newStatus', '...fields'],
  lua: `
    local status = redis.call('HGET', record, 'status')
    if not status or not string.find(permitted, status, 1, true) then return 0 end
    redis.call('HSET', record, unpack(fields))
    if newStatus == '"DELETED"' then
      redis.call('SREM', open, id)
      redis.call('SADD', removing, id)
      if redis.call('HGET', names, name) == id then redis.call('HDEL', names, name) end
    end
    return 1`,
});
