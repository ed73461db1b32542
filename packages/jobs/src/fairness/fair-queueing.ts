import type { QueueName } from '@gateway/config';
import { jobKeys } from '../keys.ts';

/** Limits on the number of concurrent jobs of a queue. */
export interface SlotLimits {
  /** Maximum number of jobs of one project; 0 for no limit. */
  runningLimit: number;
  /**
   * Slots of the calling worker, which count even if no worker has registered slots. 0 for a process without
   * slots.
   */
  ownSlots?: number;
}

/** The keys of `fairQueueing`. */
export function fairQueueingKeys(queue: QueueName) {
  return {
    recordPrefix: jobKeys.record(''),
    waitingProjects: jobKeys.waitingProjects(queue),
    running: jobKeys.running(queue),
    lastServed: jobKeys.lastServed(queue),
    slots: jobKeys.slots(queue),
    waitingSince: jobKeys.waitingSince(queue),
  };
}

/** The arguments of `fairQueueing`. */
export function fairQueueingArgs({ runningLimit, ownSlots = 0 }: SlotLimits, projectId: string) {
  return { runningLimit, ownSlots, ownProject: projectId };
}

/** A running job in the set of a queue's running jobs, in which the jobs of one project are adjacent. */
export function runningMember({ projectId, id }: { projectId: string; id: string }): string {
  return `${projectId}/${id}`;
}

/** The number of values that fit on the stack of a script. */
const SCORES_AT_ONCE = 1000;
const SINCE_KEPT_MS = 24 * 3600 * 1000;

/**
 * Lua functions for the scripts that decide which project may start a job, with the keys and arguments that
 * they read. The scripts also need the clock.
 *
 * Keys: the prefix of records, the waiting projects, the running jobs, when projects were last served, the
 * slots of workers, and when the oldest job of each project was created. Arguments: the limit of a project
 * (0: none), the minimum number of slots, and a project that is always considered ('' for none).
 *
 * `firstProject(skipped)` returns the project that may start a job now: the one with the fewest running jobs,
 * then the least recently served one, then the one whose oldest job has waited longest; nil when none may. It
 * skips projects at their limit and those in the table `skipped`. The last free slot of all workers is
 * reserved for a project without a running job.
 *
 * `checkLimits()` returns a function that checks a project: whether it may start a job, and how many jobs it
 * runs.
 *
 * `oldestOf(projects)` returns the project whose oldest job has waited longest. Reading the oldest job of a
 * project takes two commands, so its time is stored. The stored times can only be too early, unless a
 * failover changes the clock: the project with the earliest time is the right one if its time has not
 * changed.
 *
 * `dropStale()` removes jobs that no longer run from the set of running jobs, and returns whether there were
 * any. See decision 18.
 */
export const fairQueueing = {
  keys: ['recordPrefix', 'waitingProjects', 'running', 'lastServed', 'slots', 'waitingSince'],
  args: ['runningLimit', 'ownSlots', 'ownProject'],
  lua: `
  local function liveWorkers()
    return redis.call('ZRANGEBYSCORE', slots, '(' .. now, '+inf')
  end
  local function countSlots()
    local total = 0
    for _, worker in ipairs(liveWorkers()) do
      total = total + tonumber(string.match(worker, '^%d+'))
    end
    return math.max(total, tonumber(ownSlots))
  end
  local function waitingOf(project)
    return waitingProjects .. ':' .. project
  end
  local function oldestWaiting(project)
    while true do
      local oldest = redis.call('ZRANGE', waitingOf(project), 0, 0, 'WITHSCORES')
      local job = oldest[1]
      if not job or redis.call('HGET', recordPrefix .. job, 'status') == 'queued' then return oldest end
      redis.call('ZREM', waitingOf(project), job)
    end
  end
  local function countRunning()
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
  local function readOldest(project)
    local oldest = oldestWaiting(project)
    if oldest[1] then
      redis.call('ZADD', waitingSince, oldest[2], project)
      return tonumber(oldest[2])
    end
    redis.call('SREM', waitingProjects, project)
    redis.call('ZREM', waitingSince, project)
    return project == ownProject and 0 or nil
  end
  local function oldestOf(projects)
    local times = scores(waitingSince, projects)
    for _ = 1, 2 do
      local first, least
      for at, project in ipairs(projects) do
        local time = times[at] > 0 and times[at] or readOldest(project)
        if time and (not first or time < least or time == least and project < first) then
          first, least = project, time
        end
      end
      redis.call('PEXPIRE', waitingSince, ${SINCE_KEPT_MS})
      if not first or readOldest(first) == least then return first end
      for at in ipairs(projects) do times[at] = 0 end
    end
  end
  local function checkLimits()
    local limit, total = tonumber(runningLimit), countSlots()
    local isLastSlot = total > 0 and redis.call('ZCARD', running) + 1 >= total
    local counts = countRunning()
    return function(project)
      local count = counts[project] or 0
      return (limit == 0 or count < limit) and not (isLastSlot and count > 0), count
    end
  end
  local function firstProject(skipped)
    local check = checkLimits()
    for _ = 1, 2 do
      local known = redis.call('SMEMBERS', waitingProjects)
      if ownProject ~= '' and redis.call('SISMEMBER', waitingProjects, ownProject) == 0 then
        known[#known + 1] = ownProject
      end
      local times = scores(lastServed, known)
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
      local first = oldestOf(equal)
      if first then return first end
      for _, project in ipairs(known) do readOldest(project) end
    end
  end
  local function dropStale()
    local dropped = 0
    for _, member in ipairs(redis.call('ZRANGE', running, 0, -1)) do
      local id = string.match(member, '/(.*)$')
      if redis.call('HGET', recordPrefix .. id, 'status') ~= 'running' then
        dropped = dropped + redis.call('ZREM', running, member)
      end
    end
    return dropped > 0
  end`,
} as const;
