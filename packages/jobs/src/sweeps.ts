import type { Redis } from '@gateway/redis';
import type { ProgressMessage } from './catalog.ts';
import type { JournalWrite, JournalWriter, RecordChanges } from './journal-writer.ts';
import { jobKeys } from './keys.ts';
import { RECORD_AFTER_END_SCRIPT, SWEEP_SCRIPT } from './progress-scripts.ts';
import type { Leftover } from './records.ts';

/** What is still to be done for a job that has ended. */
export interface Sweep {
  /** How many resources are known to be left. */
  leftovers: number;
  /**
   * Until when, in milliseconds since the epoch, to look again whether a service has made something late,
   * whose answer nobody got; 0 when that can not be.
   */
  lookUntil: number;
}

/** The ended jobs that something is still to be done for, by id. */
export async function readSweeps(redis: Redis): Promise<Map<string, Sweep>> {
  const sweeps = await redis.hgetall(jobKeys.sweeps);
  return new Map(Object.entries(sweeps).map(([jobId, text]) => [jobId, JSON.parse(text) as Sweep]));
}

/** How many resources of ended jobs are still there. */
export async function countLeftovers(redis: Redis): Promise<number> {
  const sweeps = await readSweeps(redis);
  return [...sweeps.values()].reduce((sum, { leftovers }) => sum + leftovers, 0);
}

/** What the sweeper writes of one ended job. */
export class SweepLog implements JournalWriter {
  readonly jobId: string;
  readonly #redis: Redis;
  readonly #keepSeconds: number;

  constructor(jobId: string, options: { redis: Redis; keepSeconds: number }) {
    this.jobId = jobId;
    this.#redis = options.redis;
    this.#keepSeconds = options.keepSeconds;
  }

  /** Streams and record of an ended job stay as they are; its journal goes on. */
  publish(_message: ProgressMessage, changes?: RecordChanges, journal?: JournalWrite): Promise<void> {
    return this.record(changes ?? {}, journal);
  }

  async record(_changes: RecordChanges, journal?: JournalWrite): Promise<void> {
    if (journal === undefined) return;
    await this.#redis.eval(
      RECORD_AFTER_END_SCRIPT,
      2,
      jobKeys.record(this.jobId),
      jobKeys.journal(this.jobId),
      journal.field,
      journal.value,
    );
  }

  /** With `sweep` null there is nothing left to do: the job's keys expire from now on. */
  async close(leftovers: Leftover[], sweep: Sweep | null): Promise<void> {
    await this.#redis.eval(
      SWEEP_SCRIPT,
      4,
      jobKeys.record(this.jobId),
      jobKeys.journal(this.jobId),
      jobKeys.sweeps,
      jobKeys.log(this.jobId),
      this.jobId,
      JSON.stringify(leftovers),
      sweep === null ? '' : serializeSweep(sweep),
      this.#keepSeconds,
    );
  }
}

export function serializeSweep(sweep: Sweep): string {
  return JSON.stringify(sweep);
}
