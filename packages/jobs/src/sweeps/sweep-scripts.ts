import { BOUND_UNSUCCESSFUL } from '../records/bound-unsuccessful.ts';

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
