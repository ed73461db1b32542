import { formatStored, NewerFormError, parseStored, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/redis';
import type { JobType } from '../catalog/catalog.ts';
import { jobKeys } from '../keys.ts';

/** How long each step of a job has taken, in the order of the steps, in milliseconds. */
export type StepDurations = readonly (readonly [step: string, ms: number])[];

/** Of how many completed jobs of each type the durations are kept. */
export const KEPT_JOBS = 20;

/** How long the steps of a type of job usually take: the median of the last jobs that completed. */
export class UsualDurations {
  readonly #jobs: readonly StepDurations[];

  constructor(jobs: readonly StepDurations[] = []) {
    this.#jobs = jobs;
  }

  static async read(redis: Redis, type: JobType): Promise<UsualDurations> {
    const texts = await redis.lrange(jobKeys.durations(type), 0, KEPT_JOBS - 1);
    return new UsualDurations(texts.flatMap(parseDurations));
  }

  /**
   * How long a step takes, and what follows it, in milliseconds: of the jobs that had this step, because
   * others do other things. Null if there is none.
   */
  of(step: string): { stepMs: number; afterMs: number } | null {
    const found = this.#jobs.flatMap((job) => {
      const at = job.findIndex(([name]) => name === step);
      const own = job[at];
      if (own === undefined) return [];
      const after = job.slice(at + 1).reduce((sum, [, ms]) => sum + ms, 0);
      return [{ own: own[1], after }];
    });
    if (found.length === 0) return null;
    return { stepMs: median(found.map(({ own }) => own)), afterMs: median(found.map(({ after }) => after)) };
  }
}

export function formatDurations(steps: StepDurations): string {
  return formatStored(storedForms.jobDurations, { steps });
}

/** Only an estimate depends on them, so those in a newer form count as none. */
function parseDurations(text: string): StepDurations[] {
  try {
    return [parseStored<{ steps: StepDurations }>(storedForms.jobDurations, text).steps];
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
