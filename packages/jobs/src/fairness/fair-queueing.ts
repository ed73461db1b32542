import type { QueueName } from '@gateway/config';
import { jobKeys } from '../keys.ts';

/** Limits on the number of concurrent jobs of a queue. */
export interface SlotLimits {
  /** Maximum number of jobs of one project; 0 for no limit. */
  runningLimit: number;
  /**
   * Slots of the calling worker, which count even when no worker has registered slots. 0 for a process without slots.
   */
  ownSlots?: number;
}

/** The keys of `FAIR_QUEUEING`, in order. */
export function fairQueueingKeys(queue: QueueName): string[] {
  return [
    jobKeys.record(''),
    jobKeys.waitingProjects(queue),
    jobKeys.running(queue),
    jobKeys.lastServed(queue),
    jobKeys.slots(queue),
    jobKeys.waitingSince(queue),
  ];
}

export function fairQueueingArgs(
  { runningLimit, ownSlots = 0 }: SlotLimits,
  projectId: string,
): (string | number)[] {
  return [runningLimit, ownSlots, projectId];
}

/** A running job in the set of a queue's running jobs, in which the jobs of one project are adjacent. */
export function runningMember({ projectId, id }: { projectId: string; id: string }): string {
  return `${projectId}/${id}`;
}

/** As many as fit on the stack of a script. */
const SCORES_AT_ONCE = 1000;
const SINCE_KEPT_MS = 24 * 3600 * 1000;

/**
 * Lua functions for the scripts that decide which project may start a job.
 *
 * `firstProject(keys, args, skipped)` returns the project that may start a job now: the one with the fewest running jobs,
 * then the least recently served one, then the one whose oldest job has waited longest; nil when none may. It skips
 * projects at their limit and those in the table `skipped`. The last free slot of all workers is reserved for a project without a
 * running job.
 *
 * `mayStart(keys, args)` returns a function that tells whether a project has a slot at all, and how many jobs it runs.
 *
 * `oldestOf(keys, projects, self)` reads the oldest jobs of projects. That takes two commands for each project, so their
 * times are kept. A project's oldest job can only become younger, except that clocks differ: the first in the order of
 * the kept times is the right one if its own time is still true.
 *
 * `dropStale(keys)` removes jobs that no longer run from the set of running jobs, and returns whether there were any.
 *
 * Keys: 1 prefix of records, 2 waiting projects, 3 running jobs, 4 when projects were last served, 5 slots of workers,
 * 6 kept times of the projects' oldest jobs.
 * Args: 1 limit of a project (0: none), 2 minimum number of slots, 3 a project that is always considered ('' for none).
 * See decision 18.
 */
export const FAIR_QUEUEING = `
  local function nowMs()
    local time = redis.call('TIME')
    return time[1] * 1000 + time[2] / 1000
  end
  local function countSlots(slots, least)
    redis.call('ZREMRANGEBYSCORE', slots, '-inf', nowMs())
    local total = 0
    for _, worker in ipairs(redis.call('ZRANGE', slots, 0, -1)) do
      total = total + tonumber(string.match(worker, '^%d+'))
    end
    return math.max(total, least)
  end
  local function oldestWaiting(record, waiting)
    while true do
      local oldest = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
      if not oldest[1] or redis.call('HGET', record .. oldest[1], 'status') == 'queued' then return oldest end
      redis.call('ZREM', waiting, oldest[1])
    end
  end
  local function countRunning(running)
    local counts = {}
    for _, member in ipairs(redis.call('ZRANGE', running, 0, -1)) do
      local project = string.match(member, '^(.*)/')
      counts[project] = (counts[project] or 0) + 1
    end
    return counts
  end
  local function scores(key, members)
    local found = {}
    for from = 1, #members, ${SCORES_AT_ONCE} do
      local to = math.min(from + ${SCORES_AT_ONCE} - 1, #members)
      for at, score in ipairs(redis.call('ZMSCORE', key, unpack(members, from, to))) do
        found[from + at - 1] = tonumber(score or 0)
      end
    end
    return found
  end
  local function readOldest(keys, project, self)
    local oldest = oldestWaiting(keys[1], keys[2] .. ':' .. project)
    if oldest[1] then
      redis.call('ZADD', keys[6], oldest[2], project)
      return tonumber(oldest[2])
    end
    redis.call('SREM', keys[2], project)
    redis.call('ZREM', keys[6], project)
    return project == self and 0 or nil
  end
  local function oldestOf(keys, projects, self)
    local times = scores(keys[6], projects)
    for _ = 1, 2 do
      local first, least
      for at, project in ipairs(projects) do
        local time = times[at] > 0 and times[at] or readOldest(keys, project, self)
        if time and (not first or time < least or time == least and project < first) then
          first, least = project, time
        end
      end
      redis.call('PEXPIRE', keys[6], ${SINCE_KEPT_MS})
      if not first or readOldest(keys, first, self) == least then return first end
      for at in ipairs(projects) do times[at] = 0 end
    end
  end
  local function mayStart(keys, args)
    local limit, total = tonumber(args[1]), countSlots(keys[5], tonumber(args[2]))
    local isLastSlot = total > 0 and redis.call('ZCARD', keys[3]) + 1 >= total
    local counts = countRunning(keys[3])
    return function(project)
      local count = counts[project] or 0
      return (limit == 0 or count < limit) and not (isLastSlot and count > 0), count
    end
  end
  local function firstProject(keys, args, skipped)
    local self, check = args[3], mayStart(keys, args)
    for _ = 1, 2 do
      local known = redis.call('SMEMBERS', keys[2])
      if self ~= '' and redis.call('SISMEMBER', keys[2], self) == 0 then known[#known + 1] = self end
      local times = scores(keys[4], known)
      local equal, least, earliest = {}, math.huge, math.huge
      for at, project in ipairs(known) do
        local isAllowed, count = check(project)
        if isAllowed and count <= least and not skipped[project] then
          local time = times[at]
          if count < least or time < earliest then
            equal, least, earliest = { project }, count, time
          elseif time == earliest then
            equal[#equal + 1] = project
          end
        end
      end
      if #equal == 0 then return nil end
      local first = oldestOf(keys, equal, self)
      if first then return first end
      for _, project in ipairs(known) do readOldest(keys, project, self) end
    end
  end
  local function dropStale(keys)
    local dropped = 0
    for _, member in ipairs(redis.call('ZRANGE', keys[3], 0, -1)) do
      local id = string.match(member, '/(.*)$')
      if redis.call('HGET', keys[1] .. id, 'status') ~= 'running' then
        dropped = dropped + redis.call('ZREM', keys[3], member)
      end
    end
    return dropped > 0
  end`;
