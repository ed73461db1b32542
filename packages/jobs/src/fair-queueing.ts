import type { QueueName } from '@gateway/config';
import { jobKeys } from './keys.ts';

/** What bounds the jobs that run at once on a queue. */
export interface SlotLimits {
  /** Jobs of one project; 0 for any number. */
  runningLimit: number;
  /** Slots of the worker that asks: there are at least so many, whoever has announced any. 0 where it has none. */
  ownSlots?: number;
}

/** The keys that `FAIR_QUEUEING` reads, in the order in which it takes them. */
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

/** A job that runs, as the set of a queue's running jobs has it: all of a project stand side by side. */
export function runningMember({ projectId, id }: { projectId: string; id: string }): string {
  return `${projectId}/${id}`;
}

/**
 * Functions of Lua for the scripts that decide whose job begins.
 *
 * `projectsInTurn(keys, args)` gives the projects of which a job may begin now: the one with the fewest running jobs
 * first, then the one that was served least recently, then the one whose oldest job has waited longest. A project
 * at its limit is left out. The last free slot of all workers is for a project without a running job.
 *
 * `dropStale(keys)` removes jobs that no longer run from the set of running jobs.
 *
 * Keys: 1 prefix of records, 2 projects that wait, 3 running jobs, 4 when projects were last served, 5 slots of workers.
 * Args: 1 limit of a project (0: none), 2 least number of slots, 3 a project that is considered in any case ('' for none).
 */
export const FAIR_QUEUEING = `
  local function nowMs()
    local time = redis.call('TIME')
    return time[1] * 1000 + time[2] / 1000
  end
  local function slotsInAll(slots, least)
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
  local function projectsInTurn(keys, args)
    local record, waitingProjects, running, served, slots = unpack(keys)
    local limit, self = tonumber(args[1]), args[3]
    local total = slotsInAll(slots, tonumber(args[2]))
    local isLastSlot = total > 0 and redis.call('ZCARD', running) + 1 >= total
    local rows = {}
    local function consider(project)
      local oldest = oldestWaiting(record, waitingProjects .. ':' .. project)
      if not oldest[1] then
        redis.call('SREM', waitingProjects, project)
        if project ~= self then return end
      end
      local count = redis.call('ZLEXCOUNT', running, '[' .. project .. '/', '(' .. project .. '0')
      if limit > 0 and count >= limit then return end
      if isLastSlot and count > 0 then return end
      local servedAt = tonumber(redis.call('ZSCORE', served, project) or 0)
      rows[#rows + 1] = { count, servedAt, tonumber(oldest[2] or 0), project }
    end
    for _, project in ipairs(redis.call('SMEMBERS', waitingProjects)) do
      if project ~= self then consider(project) end
    end
    if self ~= '' then consider(self) end
    table.sort(rows, function(one, other)
      for at = 1, 3 do
        if one[at] ~= other[at] then return one[at] < other[at] end
      end
      return one[4] < other[4]
    end)
    local projects = {}
    for _, row in ipairs(rows) do projects[#projects + 1] = row[4] end
    return projects
  end
  local function dropStale(keys)
    for _, member in ipairs(redis.call('ZRANGE', keys[3], 0, -1)) do
      local id = string.match(member, '/(.*)$')
      if redis.call('HGET', keys[1] .. id, 'status') ~= 'running' then redis.call('ZREM', keys[3], member) end
    end
  end`;
