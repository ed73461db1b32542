import { traitsOf } from '../catalog/catalog.ts';
import { jobKeys } from '../keys.ts';
import { FRONT_PRIORITY } from '../queues/queues.ts';

/** The largest tag: BullMQ's largest priority, less the one in front. */
const MAX_TAG = 2_097_151 - FRONT_PRIORITY;

/** The result of `admit` for a job above the limit of its project. */
export const BLOCKED = 0;

/** What fair queueing needs to know of a job. */
export interface WaitingJob {
  id: string;
  type: string;
  projectId: string;
}

/** The keys of `fairQueueing`. */
export function fairQueueingKeys({ type, projectId }: Omit<WaitingJob, 'id'>) {
  const { queue } = traitsOf(type);
  return {
    recordPrefix: jobKeys.record(''),
    running: jobKeys.running(queue),
    waiting: jobKeys.waiting(queue),
    ready: jobKeys.ready(queue),
    readyOfProject: jobKeys.readyOfProject(queue, projectId),
    blocked: jobKeys.blocked(queue, projectId),
    virtualTime: jobKeys.virtualTime(queue),
  };
}

/** A running job in the set of a queue's running jobs, in which the jobs of one project are adjacent. */
export function runningMember({ projectId, id }: { projectId: string; id: string }): string {
  return `${projectId}/${id}`;
}

/** The priority of a job in its queue. Jobs with the same one run in the order of their arrival there. */
export function priorityOf(tag: number): number {
  return FRONT_PRIORITY + tag;
}

/** Lua: `stopWaiting(job)` removes a job from those that have not begun. */
export const stopWaiting = {
  keys: ['waiting', 'ready', 'readyOfProject', 'blocked'],
  lua: `
  local function stopWaiting(job)
    redis.call('ZREM', waiting, job)
    redis.call('ZREM', ready, job)
    redis.call('ZREM', readyOfProject, job)
    redis.call('ZREM', blocked, job)
  end`,
} as const;

/**
 * Lua functions for the scripts that let jobs begin in a fair order: start-time fair queueing. A job gets a
 * tag when its project may run it: one more than that of the project's job before it, but at least one more
 * than that of the job that began last, in any project (`virtualTime`). Workers receive jobs in the order of
 * their tags, so each waiting project gets a turn before any project gets a second one. Tags begin anew when
 * no job is ready. See decision 200.
 *
 * Keys: those of `fairQueueingKeys`. Arguments: the project, and the limit on its running jobs (0: none).
 *
 * `admit(job, createdAt)` returns the tag of a job that has not begun, and `BLOCKED` if its project has as
 * many ready and running jobs as it may: the job then waits until one of them releases its slot.
 *
 * `admitBlocked()` admits the oldest of the jobs that wait for that, and returns its id and tag; nil if none
 * may begin.
 *
 * `begin(job, tag)` lets a job begin that was admitted.
 *
 * `dropStale()` removes jobs of the project whose records are gone.
 */
export const fairQueueing = {
  keys: ['recordPrefix', 'running', ...stopWaiting.keys, 'virtualTime'],
  args: ['project', 'runningLimit'],
  lua: `${stopWaiting.lua}
  local function hasRoom()
    local limit = tonumber(runningLimit)
    if limit == 0 then return true end
    -- '0' follows '/'.
    local count = redis.call('ZLEXCOUNT', running, '[' .. project .. '/', '(' .. project .. '0')
    return count + redis.call('ZCARD', readyOfProject) < limit
  end
  local function dropStale()
    for _, member in ipairs(redis.call('ZRANGEBYLEX', running, '[' .. project .. '/', '(' .. project .. '0')) do
      local id = string.sub(member, #project + 2)
      if redis.call('HGET', recordPrefix .. id, 'status') ~= 'running' then redis.call('ZREM', running, member) end
    end
    for _, set in ipairs({ readyOfProject, blocked }) do
      for _, id in ipairs(redis.call('ZRANGE', set, 0, -1)) do
        if redis.call('HGET', recordPrefix .. id, 'status') ~= 'queued' then stopWaiting(id) end
      end
    end
  end
  local function makeReady(job)
    if redis.call('EXISTS', ready) == 0 then redis.call('DEL', virtualTime) end
    local begun = tonumber(redis.call('GET', virtualTime) or 0)
    local last = tonumber(redis.call('ZRANGE', readyOfProject, -1, -1, 'WITHSCORES')[2] or 0)
    local tag = math.min(math.max(begun, last) + 1, ${MAX_TAG})
    redis.call('ZADD', ready, tag, job)
    redis.call('ZADD', readyOfProject, tag, job)
    return tag
  end
  local function admit(job, createdAt)
    local tag = redis.call('ZSCORE', ready, job)
    if tag then return tonumber(tag) end
    redis.call('ZADD', waiting, createdAt, job)
    if not hasRoom() then
      redis.call('ZADD', blocked, createdAt, job)
      return ${BLOCKED}
    end
    redis.call('ZREM', blocked, job)
    return makeReady(job)
  end
  local function begin(job, tag)
    stopWaiting(job)
    if tag > tonumber(redis.call('GET', virtualTime) or 0) then redis.call('SET', virtualTime, tag) end
  end
  local function admitBlocked()
    if redis.call('EXISTS', blocked) == 0 or not hasRoom() then return nil end
    local job = redis.call('ZPOPMIN', blocked)[1]
    return job, makeReady(job)
  end`,
} as const;
