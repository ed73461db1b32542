import { storedForms } from '@gateway/core';
import { jobKeys } from '../keys.ts';

/** How long and how many entries of a project are kept. */
export interface HistoryLimits {
  keepSeconds: number;
  /** 0 keeps none. */
  maxRecords: number;
}

/** The keys of scripts that write to the history of a project. */
export function historyKeys(projectId: string) {
  return {
    history: jobKeys.history(projectId),
    historyParts: jobKeys.historyParts(projectId),
    historyProjects: jobKeys.historyProjects,
  };
}

/** Their arguments. Without limits nothing is written. */
export function historyArgs(limits: HistoryLimits | undefined) {
  return { historyKeepSeconds: limits?.keepSeconds ?? 0, historyMaxRecords: limits?.maxRecords ?? 0 };
}

/** After a limit was lowered, the surplus goes with the next entries. */
const REMOVED_AT_ONCE = 100;

/**
 * Lua for the scripts that write to the history of a project. An entry has up to two parts, in either order:
 * the request, and the job. It keeps the time of the first. The oldest entries are removed.
 *
 * Reads the keys and arguments of `historyKeys` and `historyArgs`, the argument `project`, and `now`.
 */
export const APPEND_HISTORY = `
  local function appendHistory(id, at, part, text)
    local limit = tonumber(historyMaxRecords)
    if limit == 0 then return end
    redis.call('ZADD', history, 'NX', at, id)
    redis.call('HSETNX', historyParts, part .. ':' .. id, text)
    local oldest = now - historyKeepSeconds * 1000
    local last = ${REMOVED_AT_ONCE - 1}
    local gone = redis.call('ZRANGEBYSCORE', history, '-inf', '(' .. oldest, 'LIMIT', 0, last + 1)
    local extra = math.min(redis.call('ZCARD', history) - limit - 1, last)
    if #gone == 0 and extra >= 0 then gone = redis.call('ZRANGE', history, 0, extra) end
    for _, old in ipairs(gone) do
      redis.call('ZREM', history, old)
      redis.call('HDEL', historyParts, 'request:' .. old, 'job:' .. old)
    end
    redis.call('ZADD', historyProjects, now, project)
    redis.call('ZREMRANGEBYSCORE', historyProjects, '-inf', '(' .. oldest)
    redis.call('EXPIRE', history, historyKeepSeconds)
    redis.call('EXPIRE', historyParts, historyKeepSeconds)
  end`;

const JOB_FIELDS = [
  'requestId',
  'userId',
  'userName',
  'type',
  'status',
  'resourceId',
  'resourceName',
  'resourceType',
  'failure',
  'updatedAt',
];

/** The same for a job that has ended. Reads `record` and `job`, too. */
export const APPEND_JOB_HISTORY = `${APPEND_HISTORY}
  local function appendJobHistory()
    local part = { form = ${storedForms.historyJob.version} }
    for _, name in ipairs({ ${JOB_FIELDS.map((name) => `'${name}'`).join(', ')} }) do
      part[name] = redis.call('HGET', record, name) or ''
    end
    appendHistory(job, redis.call('HGET', record, 'createdAt'), 'job', cjson.encode(part))
  end`;
