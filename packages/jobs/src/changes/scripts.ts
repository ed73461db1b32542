import { defineScript, releaseLockFunction, takeLockFunction } from '@gateway/store';
import { FEED_LENGTH } from '../feed/feed.ts';
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

/**
 * Begins a poll of a list of a project, for one process at a time. Returns how many milliseconds to wait, and
 * how often the list was touched: 0 and the number if the poll has begun. A poll is due after the time that
 * the last one has set, and after each touch. Returns -1 if nobody listens.
 */
export const beginPollScript = defineScript({
  name: 'begin a poll',
  keys: ['listening', 'lock'],
  args: ['list', 'holder', 'lockMs', 'busyMs'],
  withClock: true,
  lua: `${takeLockFunction}
    if redis.call('EXISTS', listening) == 0 then return { -1, '' } end
    local names = { 'touched:' .. list, 'seen:' .. list, 'due:' .. list }
    local touched, seen, due = unpack(redis.call('HMGET', listening, unpack(names)))
    touched = touched or '0'
    local wait = (tonumber(due) or 0) - now
    if wait > 0 and touched == (seen or '0') then return { math.ceil(wait), '' } end
    if not takeLock(lock, holder, lockMs) then return { tonumber(busyMs), '' } end
    return { 0, touched }`,
});

/**
 * Ends a poll: the next one is due after `nextMs`. Returns 1 if the list was touched after the poll had
 * begun.
 */
export const endPollScript = defineScript({
  name: 'end a poll',
  keys: ['listening', 'lock', 'known'],
  args: ['list', 'holder', 'touched', 'nextMs', 'keepSeconds'],
  withClock: true,
  lua: `${releaseLockFunction}
    redis.call('EXPIRE', known, keepSeconds)
    if not releaseLock(lock, holder) or redis.call('EXISTS', listening) == 0 then return 0 end
    redis.call('HSET', listening, 'seen:' .. list, touched, 'due:' .. list, string.format('%.0f', now + nextMs))
    return (redis.call('HGET', listening, 'touched:' .. list) or '0') == touched and 0 or 1`,
});

/**
 * Makes the writes in a project known for `keepSeconds` more. Returns the id of the newest entry of the
 * project's log, and 1 if the log has an entry at `position`.
 */
export const listenScript = defineScript({
  name: 'listen to a project',
  keys: ['listening', 'changes', 'listenedProjects'],
  args: ['project', 'position', 'length', 'keepSeconds'],
  withClock: true,
  lua: `
    if redis.call('EXISTS', changes) == 0 then
      redis.call('XADD', changes, '*', 'entry', '${changeMarks.anchor}')
    end
    redis.call('HSET', listening, 'length', length)
    redis.call('EXPIRE', listening, keepSeconds)
    redis.call('EXPIRE', changes, keepSeconds)
    redis.call('ZREMRANGEBYSCORE', listenedProjects, '-inf', now)
    redis.call('ZADD', listenedProjects, now + keepSeconds * 1000, project)
    local newest = redis.call('XREVRANGE', changes, '+', '-', 'COUNT', 1)[1][1]
    local found = position ~= '' and #redis.call('XRANGE', changes, position, position) or 0
    return { newest, found }`,
});

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
