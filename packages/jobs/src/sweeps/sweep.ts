import { formatStored, parseStored, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';

/** What remains to be swept after a job's end. */
export interface Sweep {
  /** Number of known leftovers. */
  leftovers: number;
  /**
   * Until when to search for resources that late calls have made, in milliseconds since the epoch; 0 when
   * there can be none.
   */
  searchUntil: number;
  /** The search needs the rights of the job's owner. */
  needsOwner?: boolean;
}

/** The ids of the ended jobs that remain to be swept. */
export async function sweptJobs(redis: Redis): Promise<string[]> {
  return redis.hkeys(jobKeys.sweeps);
}

/**
 * What remains to be swept of a job; null when nothing does.
 * @throws NewerFormError
 */
export async function readSweep(redis: Redis, jobId: string): Promise<Sweep | null> {
  const text = await redis.hget(jobKeys.sweeps, jobId);
  return text === null ? null : parseSweep(text);
}

/** Number of leftovers of all ended jobs, without those of a sweep that this process cannot read. */
export async function countLeftovers(redis: Redis): Promise<number> {
  let count = 0;
  for (const text of await redis.hvals(jobKeys.sweeps)) {
    try {
      count += parseSweep(text).leftovers;
    } catch {
      // The task that sweeps the job reports it.
    }
  }
  return count;
}

function parseSweep(text: string): Sweep {
  return parseStored<Sweep>(storedForms.sweep, text);
}

export function serializeSweep(sweep: Sweep): string {
  return formatStored(storedForms.sweep, sweep);
}
