import type { QueueName } from '@gateway/config';
import { jobKeys } from './keys.ts';

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

/**
 * Lua functions for the scripts that decide which project may start a job.
 *
 * `eligibleProjects(keys, args)` returns the projects that may start a job now: the project with the fewest running
 * jobs first, then the least recently served one, then the one whose oldest job has waited longest. It skips projects
 * at their limit. The last free slot of all workers is reserved for a project without a running job. Only the first of them
 * certainly have a waiting job, and only their oldest jobs are compared: that would take two commands for each project.
 *
 * `dropStale(keys)` removes jobs that no longer run from the set of running jobs.
 *
 * Keys: 1 prefix of records, 2 waiting projects, 3 running jobs, 4 when projects were last served, 5 slots of workers.
 * Args: 1 limit of a project (0: none), 2 minimum number of slots, 3 a project that is always considered ('' for none).
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
  local function lastServed(served, projects)
    local times = {}
    for from = 1, #projects, ${SCORES_AT_ONCE} do
      local to = math.min(from + ${SCORES_AT_ONCE} - 1, #projects)
      for at, time in ipairs(redis.call('ZMSCORE', served, unpack(projects, from, to))) do
        times[from + at - 1] = tonumber(time or 0)
      end
    end
    return times
  end
  local function isBefore(one, other)
    for at = 1, 3 do
      if one[at] ~= other[at] then return one[at] < other[at] end
    end
    return one[4] < other[4]
  end
  local function eligibleProjects(keys, args)
    local record, waitingProjects, running, served, slots = unpack(keys)
    local limit, self = tonumber(args[1]), args[3]
    local total = countSlots(slots, tonumber(args[2]))
    local isLastSlot = total > 0 and redis.call('ZCARD', running) + 1 >= total
    local counts = countRunning(running)
    local known = { self }
    for _, project in ipairs(redis.call('SMEMBERS', waitingProjects)) do
      if project ~= self then known[#known + 1] = project end
    end
    if self == '' then table.remove(known, 1) end
    local times = #known > 0 and lastServed(served, known) or {}
    local rows = {}
    for at, project in ipairs(known) do
      local count = counts[project] or 0
      if (limit == 0 or count < limit) and not (isLastSlot and count > 0) then
        rows[#rows + 1] = { count, times[at], 0, project }
      end
    end
    table.sort(rows, isBefore)
    local projects = {}
    local next = 1
    while rows[next] and #projects == 0 do
      local first = rows[next]
      local equal = {}
      while rows[next] and rows[next][1] == first[1] and rows[next][2] == first[2] do
        local row = rows[next]
        local oldest = oldestWaiting(record, waitingProjects .. ':' .. row[4])
        row[3] = tonumber(oldest[2] or 0)
        if not oldest[1] then redis.call('SREM', waitingProjects, row[4]) end
        if oldest[1] or row[4] == self then equal[#equal + 1] = row end
        next = next + 1
      end
      table.sort(equal, isBefore)
      for _, row in ipairs(equal) do projects[#projects + 1] = row[4] end
    end
    for at = next, #rows do projects[#projects + 1] = rows[at][4] end
    return projects
  end
  local function dropStale(keys)
    for _, member in ipairs(redis.call('ZRANGE', keys[3], 0, -1)) do
      local id = string.match(member, '/(.*)$')
      if redis.call('HGET', keys[1] .. id, 'status') ~= 'running' then redis.call('ZREM', keys[3], member) end
    end
  end`;
