import { defineScript } from '@gateway/redis';
import { APPEND_JOB_CHANGE } from '../changes/append-change.ts';
import { HOLD_JOB } from '../records/hold-job.ts';
import { detectOldStore } from '../store-use/detect-old-store.ts';
import { fairQueueing } from './fair-queueing.ts';

const SERVED_KEPT_MS = 24 * 3600 * 1000;

/**
 * How a job that has not begun waits for a slot: until fair queueing serves its project, or only until its
 * project is below its limit (`overtake`, if the projects that come first have no job that can begin), or not
 * at all.
 */
export type ClaimOrder = 'fair' | 'overtake' | 'none';

/**
 * Claims a job for a run. A job that has begun, or whose cancellation was requested, does not wait. A worker
 * without a slot for the project claims only the latter.
 *
 * Without a `process`, a claim does not mind that jobs of the whole store are held.
 *
 * A claim that follows one whose run is still open (`openRun`) finds a run that was lost with its worker.
 * From the `lostRunsLimit`-th such run in a row without progress on, the job is held; 0 for no limit. A claim
 * with the order `none` ignores that.
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
    'waiting',
    'listening',
    'changes',
    'feed',
  ],
  args: [
    ...fairQueueing.args,
    ...detectOldStore.args,
    'job',
    'member',
    'order',
    'isWorkerFull',
    'lostRunsLimit',
    'run',
    'project',
    'isListed',
  ],
  withClock: true,
  lua: `${fairQueueing.lua}${detectOldStore.lua}
    ${APPEND_JOB_CHANGE}
    ${HOLD_JOB}
    if process ~= '' and isHeld() then return 'store-held' end
    local status, cancelRequested, jobHold, openRun =
      unpack(redis.call('HMGET', record, 'status', 'cancelRequested', 'hold', 'openRun'))
    if status ~= 'queued' and status ~= 'running' then return 'gone' end
    if order ~= 'none' then
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
        stopWaiting()
        return 'held'
      end
    end
    local function mayBegin()
      if order == 'overtake' then return (checkLimits()(ownProject)) end
      return firstProject({}) == ownProject
    end
    if cancelRequested ~= '1' then
      if isWorkerFull == '1' then return 'busy' end
      if status == 'queued' and order ~= 'none' and not mayBegin() then
        if not dropStale() or not mayBegin() then return 'busy' end
      end
    end
    redis.call('ZADD', running, 0, member)
    stopWaiting()
    redis.call('ZREM', waitingSince, ownProject)
    if status == 'queued' then
      redis.call('ZREMRANGEBYSCORE', lastServed, '-inf', now - ${SERVED_KEPT_MS})
      redis.call('ZADD', lastServed, now, ownProject)
      redis.call('PEXPIRE', lastServed, ${SERVED_KEPT_MS})
      redis.call('HSETNX', record, 'startedAt', math.floor(now))
      appendJobChange('updated', 'running')
    end
    redis.call('HSET', record, 'status', 'running', 'openRun', run)
    return tostring(redis.call('HINCRBY', record, 'fencingToken', 1))`,
});
