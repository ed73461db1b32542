import { APPEND_OUTBOX } from './append-outbox.ts';
import { FIELDS_OF } from './fields-of.ts';

/**
 * Lua for the scripts that hold a job: no worker runs it until it is released or cancelled. It stays
 * unfinished, and keeps what it has made and holds.
 *
 * Reads the keys `record`, `held` and `outbox`, and those and the arguments of `APPEND_JOB_CHANGE`. Calls
 * `stopWaiting` (`fair-queueing.ts`). The scripts also need the clock.
 */
export const HOLD_JOB = `${APPEND_OUTBOX}
  ${FIELDS_OF}
  local function holdJob(reason)
    redis.call('HSET', record, 'hold', cjson.encode({ reason = reason, at = math.floor(now) }))
    redis.call('HSET', held, job, reason)
    stopWaiting(job)
    appendJobChange('updated', 'held')
    if isListed == '1' then appendOutbox('held', fieldsOf(record)) end
  end`;

/**
 * Lua: ends a hold, and counts lost runs anew. Reads the keys `record` and `held`, and the argument `job`.
 */
export const END_HOLD = `
  local function endHold()
    redis.call('HDEL', record, 'hold', 'openRun', 'lostRuns', 'announcedHold')
    return redis.call('HDEL', held, job)
  end`;
