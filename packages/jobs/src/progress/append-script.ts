import { RELEASE_GPUS } from '../gpu/gpu-scripts.ts';
import { BOUND_UNSUCCESSFUL } from '../records/bound-unsuccessful.ts';

/** How many failed jobs are listed for each queue. */
const FAILED_LISTED = 1000;

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
