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
}

/** The ended jobs that remain to be swept, by id. */
export async function readSweeps(redis: Redis): Promise<Map<string, Sweep>> {
  const sweeps = await redis.hgetall(jobKeys.sweeps);
  return new Map(
    Object.entries(sweeps).map(([jobId, text]) => [jobId, parseStored<Sweep>(storedForms.sweep, text)]),
  );
}

/** Number of leftovers of all ended jobs. */
export async function countLeftovers(redis: Redis): Promise<number> {
  const sweeps = await readSweeps(redis);
  return [...sweeps.values()].reduce((sum, { leftovers }) => sum + leftovers, 0);
}

export function serializeSweep(sweep: Sweep): string {
  return formatStored(storedForms.sweep, sweep);
}
