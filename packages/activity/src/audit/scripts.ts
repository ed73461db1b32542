import { defineScript } from '@gateway/store';

/**
 * Replaces records of a stream, given as a JSON object of texts by id; entries of a stream cannot be changed.
 * A record that has gone in the meantime stays away. Returns how many were replaced.
 */
export const rewriteRecordsScript = defineScript({
  name: 'rewrite audit records',
  keys: ['records', 'rewritten'],
  args: ['texts'],
  hasLongArgs: true,
  lua: `
    local replaced, count = cjson.decode(texts), 0
    local lifetime = redis.call('PTTL', records)
    redis.call('DEL', rewritten)
    for _, entry in ipairs(redis.call('XRANGE', records, '-', '+')) do
      local id, fields = entry[1], entry[2]
      if replaced[id] then
        fields = { 'record', replaced[id] }
        count = count + 1
      end
      redis.call('XADD', rewritten, id, unpack(fields))
    end
    if count == 0 then
      redis.call('DEL', rewritten)
      return 0
    end
    redis.call('RENAME', rewritten, records)
    if lifetime > 0 then redis.call('PEXPIRE', records, lifetime) end
    return count`,
});
