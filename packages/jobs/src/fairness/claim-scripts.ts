import { FAIR_QUEUEING } from './fair-queueing.ts';

const SERVED_KEPT_MS = 24 * 3600 * 1000;

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
