import { defineScript } from '@gateway/store';
import { APPEND_CHANGE } from './append-change.ts';
import { changeMarks } from './change-entry.ts';

/**
 * Reports the differences that a poll has found, and stores the rows as known. `rows` is a JSON array of
 * arrays: id, the value before the poll, the value that it found; '' for a row that is not there. The first
 * line of a value is the state. A row that has changed since the poll began is left alone, because the poll
 * may have read it before that.
 *
 * The first poll of a list (`isFirst`) has nothing to compare with. It stores all rows, and asks listeners to
 * read the list.
 */
export const applyRowsScript = defineScript({
  name: 'report what a poll has found',
  keys: ['listening', 'changes', 'feed', 'causePrefix', 'known'],
  args: ['project', 'type', 'user', 'isFirst', 'keepSeconds', 'rows'],
  lua: `${APPEND_CHANGE}
    if redis.call('EXISTS', listening) == 0 then return 0 end
    if isFirst == '1' then
      if redis.call('HEXISTS', known, '') == 1 then return 0 end
      redis.call('DEL', known)
      redis.call('HSET', known, '', '')
      for _, row in ipairs(cjson.decode(rows)) do redis.call('HSET', known, row[1], row[3]) end
      redis.call('EXPIRE', known, keepSeconds)
      appendEntry(type, user, '${changeMarks.reset}{"types":[' .. cjson.encode(type) .. ']}')
      return 1
    end
    for _, row in ipairs(cjson.decode(rows)) do
      local id, before, found = row[1], row[2], row[3]
      if (redis.call('HGET', known, id) or '') == before then
        local cause = string.match(before, '^%*(%S*) ') or redis.call('GET', causePrefix .. id)
        if found == '' then
          redis.call('HDEL', known, id)
          appendChange(type, user, id, 'deleted', nil, cause)
        else
          redis.call('HSET', known, id, found)
          local change = before == '' and 'created' or 'updated'
          appendChange(type, user, id, change, string.match(found, '^=([^\\n]*)'), cause)
        end
      end
    end
    return 1`,
});
