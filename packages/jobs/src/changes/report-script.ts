import { defineScript } from '@gateway/store';
import { FEED_LENGTH } from '../feed/feed.ts';
import { APPEND_CHANGE } from './append-change.ts';

const CAUSE_KEPT_SECONDS = 600;

/**
 * Reports what a write has changed in a project, if somebody listens to it.
 *
 * `items` is a JSON array of objects with `kind`, `type`, `list`, `user`, `id` and `state`, and `known` has
 * the key of the known rows of each. What a poll has seen before is not reported again. A row that was
 * `touched` is marked, so that the next poll reports it, whatever its state. The job (`cause`) that is
 * changing a row, or will create it, is stored for the polls of the next minutes. All processes learn through
 * the feed that they should poll.
 */
export const reportScript = defineScript({
  name: 'report changes',
  keys: ['listening', 'changes', 'feed', 'causePrefix', '...known'],
  args: ['project', 'cause', 'items'],
  lua: `${APPEND_CHANGE}
    if redis.call('EXISTS', listening) == 0 then return 0 end
    local touched = {}
    for index, item in ipairs(cjson.decode(items)) do
      local rows = known[index]
      local row = item.id ~= '' and redis.call('HGET', rows, item.id)
      local isComplete = redis.call('HEXISTS', rows, '') == 1
      if item.kind == 'created' then
        if not row then
          if isComplete then redis.call('HSET', rows, item.id, '=' .. item.state) end
          appendChange(item.type, item.user, item.id, 'created', item.state, cause)
        end
      elseif item.kind == 'deleted' then
        if row or not isComplete then
          redis.call('HDEL', rows, item.id)
          appendChange(item.type, item.user, item.id, 'deleted', nil, cause)
        end
      else
        local causeKey = causePrefix .. item.id
        if row and item.kind == 'touched' then
          redis.call('DEL', causeKey)
          local state = string.match(row, '^=(.*)') or string.match(row, '^%*%S* (.*)')
          redis.call('HSET', rows, item.id, '*' .. cause .. ' ' .. state)
        elseif item.id ~= '' and cause ~= '' then
          redis.call('SET', causeKey, cause, 'EX', ${CAUSE_KEPT_SECONDS})
        end
        redis.call('HINCRBY', listening, 'touched:' .. item.list, 1)
        touched[#touched + 1] = item.list
      end
    end
    if #touched > 0 then
      redis.call('XADD', feed, 'MAXLEN', '~', ${FEED_LENGTH}, '*', 'poll', project, 'lists', table.concat(touched, ' '))
    end
    return 1`,
});
