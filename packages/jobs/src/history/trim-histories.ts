import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { storeMemoryScript, trimHistoryScript } from './scripts.ts';

interface TrimLimits {
  /** Entries of all projects together; 0 for any number. */
  maxTotalRecords: number;
  /** The bytes by which the store has too little memory left; 0 if it has enough. */
  excessBytes: number;
  /** Stops between two removals. */
  signal: AbortSignal;
}

/** Below the alert of the store's memory, so that histories have given way before it fires. */
const MEMORY_SHARE = 0.75;
/** Of an entry with its parts. */
const ENTRY_BYTES = 1_100;
/** The part of all entries that a run removes at most while memory is short. The next run measures again. */
const REMOVED_PART = 0.2;
/** What each history keeps then: if something else fills the store, removing more does not help. */
const KEPT_WHILE_SHORT = 100;
/** No script holds up the store for long. */
const REMOVED_AT_ONCE = 500;
/** Histories whose lengths are read at once. */
const READ_AT_ONCE = 500;

/**
 * By how many bytes the server that has the histories uses more than its share of memory; 0 without a limit,
 * or if the server does not say it, as some hosted ones.
 */
export async function excessMemory(redis: Redis): Promise<number> {
  try {
    const keys = { historyProjects: jobKeys.historyProjects };
    const [used, limit] = (await storeMemoryScript.run(redis, keys)) as [number, number];
    return limit === 0 ? 0 : Math.max(0, Math.ceil(used - limit * MEMORY_SHARE));
  } catch {
    return 0;
  }
}

/**
 * Removes the oldest entries of the longest histories, so that all histories together keep their bound, and
 * give way when the store runs out of memory. A project with a short history loses nothing as long as others
 * have longer ones. Returns how many were removed.
 */
export async function trimHistories(redis: Redis, limits: TrimLimits): Promise<number> {
  const histories = await readLengths(redis);
  const kept = keptLength(
    histories.map(({ length }) => length),
    limits,
  );
  let removed = 0;
  for (const { length, projectId } of histories) {
    for (let rest = length - kept; rest > 0 && !limits.signal.aborted; rest -= REMOVED_AT_ONCE) {
      removed += await trim(redis, projectId, kept);
    }
  }
  return removed;
}

async function readLengths(redis: Redis): Promise<{ projectId: string; length: number }[]> {
  const projects = await redis.zrange(jobKeys.historyProjects, '0', '-1');
  const lengths: number[] = [];
  for (let at = 0; at < projects.length; at += READ_AT_ONCE) {
    const some = projects.slice(at, at + READ_AT_ONCE);
    lengths.push(...(await Promise.all(some.map((projectId) => redis.zcard(jobKeys.history(projectId))))));
  }
  return projects.map((projectId, at) => ({ projectId, length: lengths[at] ?? 0 }));
}

/** The longest length that a history may keep. */
function keptLength(lengths: number[], { excessBytes, maxTotalRecords }: Omit<TrimLimits, 'signal'>): number {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const excess = Math.min(Math.ceil(excessBytes / ENTRY_BYTES), Math.floor(total * REMOVED_PART));
  const ofBound = maxTotalRecords === 0 ? Number.POSITIVE_INFINITY : equalShare(lengths, maxTotalRecords);
  return Math.min(ofBound, Math.max(KEPT_WHILE_SHORT, equalShare(lengths, total - excess)));
}

/** The length to which the longest are cut, so that all together have no more than `target`. */
function equalShare(lengths: number[], target: number): number {
  // Shorter histories leave what they do not use to the longer ones.
  let left = target;
  const ascending = lengths.toSorted((one, other) => one - other);
  for (const [at, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - at));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

async function trim(redis: Redis, projectId: string, kept: number): Promise<number> {
  const keys = {
    history: jobKeys.history(projectId),
    historyParts: jobKeys.historyParts(projectId),
    historyUnsuccessful: jobKeys.historyUnsuccessful(projectId),
  };
  return Number(await trimHistoryScript.run(redis, keys, { kept, atOnce: REMOVED_AT_ONCE }));
}
