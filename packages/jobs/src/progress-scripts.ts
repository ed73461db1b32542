import { FAIR_QUEUEING } from './fair-queueing.ts';
import { RELEASE_GPUS } from './gpu-scripts.ts';

const SERVED_KEPT_MS = 24 * 3600 * 1000;
/** How many failed jobs are listed for each queue. */
const FAILED_LISTED = 1000;
/** After the limit was lowered, the surplus goes with the next jobs that end. */
const REMOVED_AT_ONCE = 100;

/**
 * Claims a job for a run. A job that has not begun waits for its project's turn (`FAIR_QUEUEING`). A job that has
 * begun, or whose cancellation was requested, does not wait. A worker without a slot for the project claims only the
 * latter.
 *
 * KEYS: those of `FAIR_QUEUEING`, then 7 record, 8 waiting. ARGV: those of `FAIR_QUEUEING` with the job's project, then
 * 4 job id, 5 'in turn' for a job that waits for its turn, 'next' when the projects before it have no job that could
 * begin, '' for a job that does not wait, 6 'full' for a worker without a slot for the project.
 * Returns the fencing token (`fencingToken`), 'gone' or 'busy'.
 */
export const CLAIM_SCRIPT = `${FAIR_QUEUEING}
  local status = redis.call('HGET', KEYS[7], 'status')
  if status ~= 'queued' and status ~= 'running' then return 'gone' end
  local function isItsTurn()
    if ARGV[5] == 'next' then return (mayStart(KEYS, ARGV)(ARGV[3])) end
    return firstProject(KEYS, ARGV, {}) == ARGV[3]
  end
  if redis.call('HGET', KEYS[7], 'cancelRequested') ~= '1' then
    if ARGV[6] == 'full' then return 'busy' end
    if status == 'queued' and ARGV[5] ~= '' and not isItsTurn() then
      if not dropStale(KEYS) or not isItsTurn() then return 'busy' end
    end
  end
  redis.call('ZADD', KEYS[3], 0, ARGV[3] .. '/' .. ARGV[4])
  redis.call('ZREM', KEYS[8], ARGV[4])
  if redis.call('EXISTS', KEYS[8]) == 0 then redis.call('SREM', KEYS[2], ARGV[3]) end
  redis.call('ZREM', KEYS[6], ARGV[3])
  if status == 'queued' then
    redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', nowMs() - ${SERVED_KEPT_MS})
    redis.call('ZADD', KEYS[4], nowMs(), ARGV[3])
    redis.call('PEXPIRE', KEYS[4], ${SERVED_KEPT_MS})
  end
  redis.call('HSET', KEYS[7], 'status', 'running')
  return tostring(redis.call('HINCRBY', KEYS[7], 'fencingToken', 1))`;

/**
 * Returns the project that may start a job now; null when none may. KEYS and ARGV: those of `FAIR_QUEUEING`, then
 * projects to skip.
 */
export const FIRST_PROJECT_SCRIPT = `${FAIR_QUEUEING}
  dropStale(KEYS)
  local skipped = {}
  for at = 4, #ARGV do skipped[ARGV[at]] = true end
  return firstProject(KEYS, ARGV, skipped)`;

/**
 * Releases the slot of a parked job, unless another run has claimed the job. KEYS: 1 record, 2 running.
 * ARGV: 1 the job's member in the set of running jobs, 2 the run's fencing token.
 */
export const RELEASE_SLOT_SCRIPT = `
  if redis.call('HGET', KEYS[1], 'fencingToken') ~= ARGV[2] then return 0 end
  return redis.call('ZREM', KEYS[2], ARGV[1])`;

/**
 * Keeps the latest of a project's jobs that failed or were cancelled: any member can make them without an end. Those of which
 * something is left are not among them. `own` are the keys of the job that has ended: record, log, journal.
 */
const BOUND_UNSUCCESSFUL = `
  local function boundUnsuccessful(list, jobs, own, id, keepSeconds, most)
    local status, leftovers, endedAt = unpack(redis.call('HMGET', own[1], 'status', 'leftovers', 'updatedAt'))
    if most == 0 or (status ~= 'failed' and status ~= 'cancelled') then return end
    if leftovers and leftovers ~= '' and leftovers ~= '[]' then return end
    redis.call('ZADD', list, endedAt, id)
    redis.call('EXPIRE', list, keepSeconds)
    local extra = math.min(redis.call('ZCARD', list) - most, ${REMOVED_AT_ONCE})
    if extra <= 0 then return end
    for _, old in ipairs(redis.call('ZRANGE', list, 0, extra - 1)) do
      redis.call('ZREM', list, old)
      redis.call('ZREM', jobs, old)
      for _, key in ipairs(own) do redis.call('DEL', string.sub(key, 1, -string.len(id) - 1) .. old) end
    end
  end`;

/**
 * Writes one event: record, log, feed and journal change together or not at all. Nothing is written after the job has
 * ended (so there is exactly one last event), by a superseded run, or twice when a write is repeated because its
 * response was lost. The last event removes the job from the indexes of open jobs, lists it if it has failed, releases the
 * GPUs that it has reserved, and lets its keys expire; if something has to be swept, the keys stay until then.
 *
 * KEYS: 1 record, 2 log, 3 feed, 4 journal, 5 open, 6 running, 7 sweeps, 8 failed, 9 the project's unsuccessful jobs, 10 the
 * project's jobs.
 * ARGV: 1 fencing token, 2 log entry ('' for none), 3 job id, 4 longest feed, 5 seconds to keep, 6 'last' for the last event,
 * '' for any other, 7 journal field ('' for none), 8 journal value, 9 what is to be swept ('' for nothing), 10 the
 * write's number in its run ('' when there is nothing to write twice), 11 'unless cancelled' to refuse the write if
 * cancellation was requested, 12 how many unsuccessful jobs to keep (0: all), then pairs of record fields.
 * Returns '1' when cancellation was requested, else '0'; -1 when superseded, -2 when the record is gone, -3 when such a
 * write was refused because the job is to be cancelled.
 */
export const APPEND_SCRIPT = `${RELEASE_GPUS}${BOUND_UNSUCCESSFUL}
  local status = redis.call('HGET', KEYS[1], 'status')
  if not status then return -2 end
  if redis.call('HGET', KEYS[1], 'fencingToken') ~= ARGV[1] then return -1 end
  local cancelled = redis.call('HGET', KEYS[1], 'cancelRequested') == '1' and '1' or '0'
  if status == 'completed' or status == 'failed' or status == 'cancelled' then return cancelled end
  local write = ARGV[1] .. '.' .. ARGV[10]
  if ARGV[10] ~= '' and redis.call('HGET', KEYS[1], 'write') == write then return cancelled end
  if ARGV[11] ~= '' and cancelled == '1' then return -3 end
  if ARGV[10] ~= '' then redis.call('HSET', KEYS[1], 'write', write) end
  redis.call('HSET', KEYS[1], unpack(ARGV, 13))
  if ARGV[7] ~= '' then redis.call('HSET', KEYS[4], ARGV[7], ARGV[8]) end
  if ARGV[2] ~= '' then
    local seq = redis.call('RPUSH', KEYS[2], ARGV[2])
    redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[4], '*', 'job', ARGV[3], 'seq', seq, 'entry', ARGV[2])
  end
  if ARGV[6] ~= '' then
    redis.call('ZREM', KEYS[5], ARGV[3])
    redis.call('ZREM', KEYS[6], redis.call('HGET', KEYS[1], 'projectId') .. '/' .. ARGV[3])
    local ended = redis.call('HMGET', KEYS[1], 'status', 'updatedAt')
    if ended[1] == 'failed' then
      redis.call('ZADD', KEYS[8], ended[2], ARGV[3])
      redis.call('ZREMRANGEBYRANK', KEYS[8], 0, -${FAILED_LISTED + 1})
    end
    local exclusive = redis.call('HGET', KEYS[1], 'exclusive')
    if exclusive and redis.call('GET', exclusive) == ARGV[3] then redis.call('DEL', exclusive) end
    local reserved = redis.call('HGET', KEYS[1], 'gpuReserved')
    if reserved then releaseGpus(reserved, ARGV[3], ARGV[3]) end
    if ARGV[9] ~= '' then
      redis.call('HSET', KEYS[7], ARGV[3], ARGV[9])
    else
      redis.call('HDEL', KEYS[1], 'queued')
      local own = { KEYS[1], KEYS[2], KEYS[4] }
      for _, key in ipairs(own) do redis.call('EXPIRE', key, ARGV[5]) end
      boundUnsuccessful(KEYS[9], KEYS[10], own, ARGV[3], ARGV[5], tonumber(ARGV[12]))
    end
  end
  return cancelled`;

/** Writes to the journal of an ended job that is still kept. KEYS: 1 record, 2 journal. ARGV: 1 field, 2 value. */
export const RECORD_AFTER_END_SCRIPT = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  return redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])`;

/**
 * Writes what the sweeper of an ended job has come to. With nothing left to sweep, the job's keys expire.
 *
 * KEYS: 1 record, 2 journal, 3 sweeps, 4 log, 5 the beginning of the lists of unsuccessful jobs, 6 that of the lists of jobs.
 * ARGV: 1 job id, 2 leftovers, 3 what is still to be swept ('' for nothing), 4 seconds to keep, 5 how many unsuccessful
 * jobs to keep (0: all).
 */
export const SWEEP_SCRIPT = `${BOUND_UNSUCCESSFUL}
  if redis.call('EXISTS', KEYS[1]) == 0 then
    redis.call('HDEL', KEYS[3], ARGV[1])
    return 0
  end
  redis.call('HSET', KEYS[1], 'leftovers', ARGV[2])
  if ARGV[3] ~= '' then
    redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
  else
    redis.call('HDEL', KEYS[3], ARGV[1])
    redis.call('HDEL', KEYS[1], 'queued')
    local own = { KEYS[1], KEYS[4], KEYS[2] }
    for _, key in ipairs(own) do redis.call('EXPIRE', key, ARGV[4]) end
    local project = redis.call('HGET', KEYS[1], 'projectId')
    boundUnsuccessful(KEYS[5] .. project, KEYS[6] .. project, own, ARGV[1], ARGV[4], tonumber(ARGV[5]))
  end
  return 1`;
