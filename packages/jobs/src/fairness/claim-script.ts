import { defineScript } from '@gateway/store';
import { APPEND_JOB_CHANGE } from '../changes/append-change.ts';
import { HOLD_JOB } from '../records/hold-job.ts';
import { detectOldStore } from '../store-use/detect-old-store.ts';
import { BLOCKED, fairQueueing } from './fair-queueing.ts';

/**
 * Claims a job for a run. A job that has begun, or whose cancellation was requested, does not wait for its
 * project. A forced claim minds neither the limit of the project nor a hold.
 *
 * Without a `process`, a claim does not mind that jobs of the whole store are held.
 *
 * A claim that follows one whose run is still open (`openRun`) finds a run that was lost with its worker.
 * From the `lostRunsLimit`-th such run in a row without progress on, the job is held; 0 for no limit. A
 * forced claim ignores that.
 *
 * `run` is new for each claim, so that one that is sent again after a lost connection finds its own run.
 *
 * Returns the fencing token (`fencingToken`), 'gone', 'busy', 'store-held' or 'held'.
 */
export const claimScript = defineScript({
  name: 'claim a job',
  keys: [
    ...fairQueueing.keys,
    ...detectOldStore.keys,
    'record',
    'held',
    'outbox',
    'listening',
    'changes',
    'feed',
  ],
  args: [
    ...fairQueueing.args,
    ...detectOldStore.args,
    'job',
    'member',
    'isForced',
    'lostRunsLimit',
    'run',
    'isListed',
  ],
  withClock: true,
  lua: `${fairQueueing.lua}${detectOldStore.lua}
    ${APPEND_JOB_CHANGE}
    ${HOLD_JOB}
    if process ~= '' and isHeld() then return 'store-held' end
    local status, cancelRequested, jobHold, openRun, createdAt =
      unpack(redis.call('HMGET', record, 'status', 'cancelRequested', 'hold', 'openRun', 'createdAt'))
    if status ~= 'queued' and status ~= 'running' then return 'gone' end
    if isForced ~= '1' then
      if openRun and openRun ~= run then
        redis.call('HDEL', record, 'openRun')
        local lost, limit = redis.call('HINCRBY', record, 'lostRuns', 1), tonumber(lostRunsLimit)
        if not jobHold and limit > 0 and lost >= limit then
          holdJob('lost_runs')
          jobHold = true
        end
      end
      if jobHold then
        redis.call('ZREM', running, member)
        stopWaiting(job)
        return 'held'
      end
    end
    local tag = ${BLOCKED}
    if status == 'queued' and cancelRequested ~= '1' and isForced ~= '1' then
      tag = admit(job, createdAt)
      if tag == ${BLOCKED} then
        dropStale()
        tag = admit(job, createdAt)
      end
      if tag == ${BLOCKED} then return 'busy' end
    end
    redis.call('ZADD', running, 0, member)
    if status == 'queued' then
      if tag == ${BLOCKED} then stopWaiting(job) else begin(job, tag) end
      redis.call('HSETNX', record, 'startedAt', math.floor(now))
      appendJobChange('updated', 'running')
    end
    redis.call('HSET', record, 'status', 'running', 'openRun', run)
    return tostring(redis.call('HINCRBY', record, 'fencingToken', 1))`,
});
