import { FEED_LENGTH } from '../feed/feed.ts';
import { changeMarks } from './change-entry.ts';

/**
 * Lua for the scripts that change what members of a project see: appends to the project's log and to the
 * feed, if somebody listens to the project.
 *
 * Reads the keys `listening`, `changes` and `feed`, and the argument `project`. `user` is the only user who
 * may see the change, and '' for all members; `state` is nil for none, and `cause` is the id of the job that
 * has made the change, or ''.
 */
export const APPEND_CHANGE = `
  local function appendEntry(type, user, entry)
    local length = redis.call('HGET', listening, 'length')
    if not length then return end
    local last = redis.call('XREVRANGE', changes, '+', '-', 'COUNT', 1)[1]
    local fields = { 'entry', entry, 'type', type, 'user', user }
    local id = redis.call('XADD', changes, 'MAXLEN', length, '*', unpack(fields))
    redis.call('XADD', feed, 'MAXLEN', '~', ${FEED_LENGTH}, '*', 'changes', project, 'id', id,
      'previous', last and last[1] or '', unpack(fields))
  end
  local function orNull(text)
    return text and text ~= '' and cjson.encode(text) or 'null'
  end
  local function appendChange(type, user, id, change, state, cause)
    appendEntry(type, user, '${changeMarks.change}{"type":' .. cjson.encode(type) .. ',"id":' .. cjson.encode(id)
      .. ',"change":"' .. change .. '","state":' .. orNull(state) .. ',"job_id":' .. orNull(cause) .. '}')
  end`;

/** The same for a job that members of its project see. Reads the arguments `job` and `isListed`, too. */
export const APPEND_JOB_CHANGE = `${APPEND_CHANGE}
  local function appendJobChange(change, state)
    if isListed == '1' then appendChange('job', '', job, change, state, job) end
  end`;
