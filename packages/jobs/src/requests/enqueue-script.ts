import { defineScript } from '@gateway/store';
import { APPEND_JOB_CHANGE } from '../changes/append-change.ts';
import { fairQueueing } from '../fairness/fair-queueing.ts';

/** The result when a project has too many waiting jobs. */
export const TOO_MANY_WAITING = -1;

/** The result while jobs are held: a restore would end the job before it began. */
export const STORE_HELD = -2;

/**
 * Writes a job's record, unless it exists, and adds the job to the indexes. An exclusive job is refused while
 * another job on the same subject is unfinished. A job is also refused while its project has too many
 * waiting jobs (`waitingLimit`, 0 for no limit). Removes entries whose records have expired from the job's
 * lists, some that are chosen at random, so that the lists do not grow forever: the oldest jobs may be
 * unfinished for long.
 *
 * `fields` are pairs of record fields. Returns the tag of the job or `BLOCKED` (`fairQueueing`), nothing when
 * the record existed (the request has then joined the job), `STORE_HELD`, `TOO_MANY_WAITING`, and the id of
 * the other job, as a string, when an exclusive job is refused.
 */
export const enqueueScript = defineScript({
  name: 'enqueue a job',
  keys: [
    ...fairQueueing.keys,
    'record',
    'open',
    'hold',
    'exclusive',
    'listening',
    'changes',
    'feed',
    '...lists',
  ],
  args: [...fairQueueing.args, 'job', 'queued', 'waitingLimit', 'isExclusive', 'isListed', '...fields'],
  withClock: true,
  lua: `${fairQueueing.lua}
    ${APPEND_JOB_CHANGE}
    local existing = redis.call('HGET', record, 'queued')
    if existing and existing ~= queued then redis.call('HSET', record, 'joined', '1') end
    if redis.call('EXISTS', record) == 1 then return nil end
    if redis.call('EXISTS', hold) == 1 then return ${STORE_HELD} end
    if isExclusive == '1' then
      local other = redis.call('GET', exclusive)
      local status = other and redis.call('HGET', recordPrefix .. other, 'status')
      if status == 'queued' or status == 'running' then return other end
    end
    local limit = tonumber(waitingLimit)
    local function countWaiting()
      return redis.call('ZCARD', readyOfProject) + redis.call('ZCARD', blocked)
    end
    if limit > 0 and countWaiting() >= limit then
      dropStale()
      if countWaiting() >= limit then return ${TOO_MANY_WAITING} end
    end
    local createdAt = math.floor(now)
    redis.call('HSET', record, 'queued', queued, 'createdAt', createdAt)
    redis.call('HSET', record, 'updatedAt', createdAt, unpack(fields))
    redis.call('ZADD', open, createdAt, job)
    if isExclusive == '1' then
      redis.call('SET', exclusive, job)
      redis.call('HSET', record, 'exclusive', exclusive)
    end
    for _, list in ipairs(lists) do
      redis.call('ZADD', list, createdAt, job)
      redis.call('PERSIST', list)
      for _, id in ipairs(redis.call('ZRANDMEMBER', list, 10)) do
        if redis.call('EXISTS', recordPrefix .. id) == 0 then redis.call('ZREM', list, id) end
      end
    end
    appendJobChange('created', redis.call('HGET', record, 'status'))
    return admit(job, createdAt)`,
});
