import { formatStored, NewerFormError, parseStored, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';

/** How long each step of a job has taken, in the order of the steps, in milliseconds. */
type StepDurations = readonly (readonly [step: string, ms: number])[];

export interface JobDurations {
  steps: StepDurations;
  /** How long its runs have held a slot of a worker. */
  heldMs: number;
}

/** Of how many completed jobs of each type the durations are kept. */
export const KEPT_JOBS = 20;

/** How long the steps of a type of job usually take: the median of the last jobs that completed. */
export class UsualDurations {
  readonly #jobs: readonly JobDurations[];

  constructor(jobs: readonly JobDurations[] = []) {
    this.#jobs = jobs;
  }

  static async read(redis: Redis, type: string): Promise<UsualDurations> {
    const texts = await redis.lrange(jobKeys.durations(type), 0, KEPT_JOBS - 1);
    return new UsualDurations(texts.flatMap(parseDurations));
  }

  /**
   * How long a step takes, and what follows it, in milliseconds: of the jobs that had this step, because
   * others do other things. Null if there is none.
   */
  of(step: string): { stepMs: number; afterMs: number } | null {
    const found = this.#jobs.flatMap(({ steps }) => {
      const at = steps.findIndex(([name]) => name === step);
      const own = steps[at];
      if (own === undefined) return [];
      return [{ own: own[1], after: totalOf(steps.slice(at + 1)) }];
    });
    if (found.length === 0) return null;
    return { stepMs: median(found.map(({ own }) => own)), afterMs: median(found.map(({ after }) => after)) };
  }

  /**
   * How long a whole job takes, and for how long of that it holds a slot, in milliseconds: a parked job holds
   * none. Null if no job is known.
   */
  whole(): { totalMs: number; heldMs: number } | null {
    if (this.#jobs.length === 0) return null;
    const totals = this.#jobs.map(({ steps }) => totalOf(steps));
    return { totalMs: median(totals), heldMs: median(this.#jobs.map(({ heldMs }) => heldMs)) };
  }
}

export function formatDurations(durations: JobDurations): string {
  return formatStored(storedForms.jobDurations, durations);
}

function totalOf(steps: StepDurations): number {
  return steps.reduce((sum, [, ms]) => sum + ms, 0);
}

/** Only an estimate depends on them, so those in a newer form count as none. */
function parseDurations(text: string): JobDurations[] {
  try {
    return [parseStored<JobDurations>(storedForms.jobDurations, text)];
  } catch (error) {
    if (error instanceof NewerFormError) return [];
    throw error;
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
