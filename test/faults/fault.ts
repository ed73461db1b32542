import type { Hold, Matcher } from '../support/clients/cloudsim-control.ts';
import type { Kind, Place } from './kind.ts';
import type { Rig, StartedJob } from './rig.ts';

export type End = 'completed' | 'failed' | 'cancelled';

/** Where a fault is injected. */
export interface Site {
  rig: Rig;
  kind: Kind;
  place: Place;
  /** Matches the call of the place, for this job only. */
  match: Matcher;
}

export interface Fault {
  name: string;
  /**
   * Prepares the fault before the job starts. The returned function is called once the job runs, and throws a
   * NotReachedError when the call was not made.
   */
  arm(site: Site): Promise<(job: FaultedJob) => Promise<void>>;
  /** Where the fault applies; everywhere by default. */
  appliesTo?(kind: Kind, place: Place): boolean;
  /** How the job may end. */
  allows(site: Site): readonly End[];
  /** The fault delays calls: the system needs a longer `late_call_seconds`. */
  isLate?: boolean;
  /** The call takes effect after the job's end, and later than `late_call_seconds`. */
  isAfterEnd?: boolean;
  /** The job sends the call once more, before the first one takes effect. */
  repeatsCall?: boolean;
  /** The store loses the end of the job, which then runs and ends once more. */
  isSetBack?: boolean;
  /** The fault strikes the report of a machine, not a call of the job. */
  isOfReport?: boolean;
  /** The fault strikes a list of a deletion, whichever step reads it. */
  isOfList?: boolean;
}

export interface FaultedJob extends StartedJob {
  /** Resolves when the job has ended, or after the timeout. */
  ended: Promise<unknown>;
  /** What the fault found wrong. */
  flaws: string[];
}

/** The call for the fault was not made. */
export class NotReachedError extends Error {
  constructor() {
    super('The call at which the fault was to strike did not come.');
    this.name = 'NotReachedError';
  }
}

const REACH_TIMEOUT_MS = 60_000;

export async function waitUntilHeld(hold: Hold, { ended }: FaultedJob): Promise<void> {
  const state = await Promise.race([
    hold.waitUntilReached(REACH_TIMEOUT_MS),
    ended.then(() => hold.waitUntilReached(0)),
  ]);
  if (state !== 'held') throw new NotReachedError();
}
