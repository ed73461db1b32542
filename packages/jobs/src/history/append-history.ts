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
    historyUnsuccessful: jobKeys.historyUnsuccessful(projectId),
    historyProjects: jobKeys.historyProjects,
  };
}

/** Their arguments. Without limits nothing is written. */
export function historyArgs(limits: HistoryLimits | undefined) {
  return { historyKeepSeconds: limits?.keepSeconds ?? 0, historyMaxRecords: limits?.maxRecords ?? 0 };
}

/** After a limit was lowered, the surplus goes with the next entries. */
const REMOVED_AT_ONCE = 100;
/** The part of the limit that is added for what was refused or has failed. */
const UNSUCCESSFUL_PART = 4;

/** Lua that removes entries with all of their parts. */
export const FORGET_HISTORY = `
  local function forgetHistory(gone)
    for _, old in ipairs(gone) do
      redis.call('ZREM', history, old)
      redis.call('ZREM', historyUnsuccessful, old)
      redis.call('HDEL', historyParts, 'request:' .. old, 'job:' .. old)
    end
  end`;

/**
 * Lua for the scripts that write to the history of a project. An entry has up to two parts, in either order:
 * the request, and the job. It keeps the time of the first. The oldest entries are removed.
 *
 * What was refused or has failed has a limit of its own: it costs nothing, so a member without any rights
 * could displace what others have done. See decision 141.
 *
 * Reads the keys and arguments of `historyKeys` and `historyArgs`, the argument `project`, and `now`.
 */
export const APPEND_HISTORY = `${FORGET_HISTORY}
  local function forgetSurplus(entries, count)
    local last = math.min(count, ${REMOVED_AT_ONCE}) - 1
    if last >= 0 then forgetHistory(redis.call('ZRANGE', entries, 0, last)) end
  end
  local function appendHistory(id, at, part, text, isSuccessful)
    local limit = tonumber(historyMaxRecords)
    if limit == 0 then return end
    redis.call('ZADD', history, 'NX', at, id)
    redis.call('HSETNX', historyParts, part .. ':' .. id, text)
    if not isSuccessful then
      redis.call('ZADD', historyUnsuccessful, 'NX', at, id)
      redis.call('EXPIRE', historyUnsuccessful, historyKeepSeconds)
    end
    local oldest = now - historyKeepSeconds * 1000
    forgetHistory(redis.call('ZRANGEBYSCORE', history, '-inf', '(' .. oldest, 'LIMIT', 0, ${REMOVED_AT_ONCE}))
    local unsuccessful = redis.call('ZCARD', historyUnsuccessful)
    local successful = redis.call('ZCARD', history) - unsuccessful
    forgetSurplus(historyUnsuccessful, unsuccessful - math.ceil(limit / ${UNSUCCESSFUL_PART}))
    forgetSurplus(history, successful - limit)
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

/** The same for a job that has ended, whose record has these fields. Reads `job`, too. */
export const APPEND_JOB_HISTORY = `${APPEND_HISTORY}
  local function appendJobHistory(fields)
    local part = { form = ${storedForms.historyJob.version} }
    for _, name in ipairs({ ${JOB_FIELDS.map((name) => `'${name}'`).join(', ')} }) do
      part[name] = fields[name] or ''
    end
    local isSuccessful = part.status ~= 'failed' and part.status ~= 'cancelled'
    appendHistory(job, fields.createdAt, 'job', cjson.encode(part), isSuccessful)
  end`;
