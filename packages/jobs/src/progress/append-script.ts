import { defineScript } from '@gateway/store';
import { APPEND_JOB_CHANGE } from '../changes/append-change.ts';
import { KEPT_JOBS } from '../estimates/usual-durations.ts';
import { APPEND_JOB_HISTORY } from '../history/append-history.ts';
import { APPEND_OUTBOX } from '../records/append-outbox.ts';
import { FIELDS_OF } from '../records/fields-of.ts';
import { END_HOLD } from '../records/hold-job.ts';
import { LET_EXPIRE } from '../records/let-expire.ts';
import { RELEASE_RESERVATION } from '../records/reservations.ts';

/** How many failed jobs are listed for each queue. */
const FAILED_LISTED = 1000;

/** Results of the script. Otherwise it returns what was requested of the run, '' for nothing. */
export const appendRefusals = { superseded: -1, gone: -2, cancelRequested: -3 } as const;
export const appendRequests = { cancel: 'cancel', hold: 'hold' } as const;

/**
 * Writes one event: record, log, feed and journal change together or not at all. Nothing is written after the
 * job has ended (so there is exactly one last event), by a superseded run, or twice when a write is repeated
 * because its response was lost. The last event removes the job from the indexes of open jobs, lists it if it
 * has failed, releases what the job holds, and lets its keys expire. If something remains to be swept, the
 * keys do not expire before that.
 *
 * `entry`, `journalField` and `sweep` may be '' for none. `isProgress` counts lost runs anew. `writeNumber`
 * is the write's number in its run, and '' for a write that may be repeated. With an `unsuccessfulLimit` of
 * 0, all unsuccessful jobs are kept. `listedResource` is the id of the resource under which the job is listed
 * from now on, or ''. `fields` are pairs of record fields. `durationsEntry` is kept for estimates, with the
 * last event; '' for none.
 */
export const appendScript = defineScript({
  name: 'append an event',
  keys: [
    'record',
    'log',
    'listening',
    'changes',
    'feed',
    'journal',
    'open',
    'held',
    'running',
    'sweeps',
    'failed',
    'unsuccessfulJobs',
    'projectJobs',
    'resourceJobsPrefix',
    'durations',
    'history',
    'historyParts',
    'historyUnsuccessful',
    'historyProjects',
    'outbox',
  ],
  args: [
    'job',
    'member',
    'fencingToken',
    'writeNumber',
    'entry',
    'feedLength',
    'journalField',
    'journalValue',
    'isProgress',
    'listedResource',
    'isLast',
    'failIfCancelRequested',
    'sweep',
    'durationsEntry',
    'keepSeconds',
    'unsuccessfulLimit',
    'project',
    'isListed',
    'historyKeepSeconds',
    'historyMaxRecords',
    '...fields',
  ],
  withClock: true,
  lua: `
    local status, latestToken, cancelRequested, latestWrite, hold, wasRollingBack = unpack(redis.call('HMGET',
      record, 'status', 'fencingToken', 'cancelRequested', 'write', 'hold', 'isRollingBack'))
    if not status then return ${appendRefusals.gone} end
    if latestToken ~= fencingToken then return ${appendRefusals.superseded} end
    local requested = cancelRequested == '1' and '${appendRequests.cancel}' or hold and '${appendRequests.hold}' or ''
    if status == 'completed' or status == 'failed' or status == 'cancelled' then return requested end
    local write = fencingToken .. '.' .. writeNumber
    if writeNumber ~= '' and latestWrite == write then return requested end
    if failIfCancelRequested == '1' and cancelRequested == '1' then return ${appendRefusals.cancelRequested} end
    local updatedAt = math.floor(now)
    redis.call('HSET', record, 'updatedAt', updatedAt, 'write', writeNumber ~= '' and write or latestWrite or '',
      unpack(fields))
    if journalField ~= '' then redis.call('HSET', journal, journalField, journalValue) end
    if isProgress == '1' then redis.call('HDEL', record, 'lostRuns') end
    if listedResource ~= '' then
      local project, createdAt = unpack(redis.call('HMGET', record, 'projectId', 'createdAt'))
      local list = resourceJobsPrefix .. project .. ':' .. listedResource
      redis.call('ZADD', list, createdAt, job)
      redis.call('PERSIST', list)
    end
    if entry ~= '' then
      local seq = redis.call('RPUSH', log, entry)
      redis.call('XADD', feed, 'MAXLEN', '~', feedLength, '*', 'job', job, 'seq', seq, 'entry', entry)
    end
    ${APPEND_JOB_CHANGE}
    if isLast ~= '1' and wasRollingBack ~= '1' and redis.call('HGET', record, 'isRollingBack') == '1' then
      appendJobChange('updated', 'rolling_back')
    end
    if isLast == '1' then
      ${FIELDS_OF}
      local ended = fieldsOf(record)
      appendJobChange('updated', ended.status)
      ${APPEND_JOB_HISTORY}
      ${APPEND_OUTBOX}
      if isListed == '1' then
        appendJobHistory(ended)
        appendOutbox('ended', ended)
      end
      ${RELEASE_RESERVATION}
      ${LET_EXPIRE}
      if durationsEntry ~= '' then
        redis.call('LPUSH', durations, durationsEntry)
        redis.call('LTRIM', durations, 0, ${KEPT_JOBS - 1})
      end
      redis.call('ZREM', open, job)
      redis.call('ZREM', running, member)
      ${END_HOLD}
      endHold()
      if ended.status == 'failed' then
        redis.call('ZADD', failed, updatedAt, job)
        redis.call('ZREMRANGEBYRANK', failed, 0, -${FAILED_LISTED + 1})
      end
      if ended.exclusive and redis.call('GET', ended.exclusive) == job then redis.call('DEL', ended.exclusive) end
      if ended.reservation then releaseReservation(ended.reservation, job, job) end
      if sweep ~= '' then
        redis.call('HSET', sweeps, job, sweep)
      else
        letExpire(ended, unsuccessfulJobs, projectJobs)
      end
    end
    return requested`,
});
