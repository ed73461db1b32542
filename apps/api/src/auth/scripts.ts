import { defineScript } from '@gateway/store';

/** Writes a session's record unless the record has changed since it was read. Returns 1 if it did. */
export const extendSessionScript = defineScript({
  name: 'extend a session',
  keys: ['session'],
  args: ['read', 'extended'],
  lua: `
    if redis.call('GET', session) ~= read then return 0 end
    redis.call('SET', session, extended, 'KEEPTTL')
    return 1`,
});

/**
 * Updates the entry of a listed session, unless it was seen after `before` or has a newer form.
 * Returns 1 if it did.
 */
export const seeSessionScript = defineScript({
  name: 'see a session',
  keys: ['sessions'],
  args: ['id', 'before', 'seenAt', 'address', 'client', 'form'],
  lua: `
    local stored = redis.call('HGET', sessions, id)
    if not stored then return 0 end
    local entry = cjson.decode(stored)
    if entry.form > tonumber(form) or entry.seenAt > tonumber(before) then return 0 end
    entry.seenAt = tonumber(seenAt)
    entry.address = address
    entry.client = client
    redis.call('HSET', sessions, id, cjson.encode(entry))
    return 1`,
});
