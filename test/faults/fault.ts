import type { CallMatch, Hold } from '../support/cloudsim-control.ts';
import type { Kind, Place } from './kind.ts';
import type { Rig, StartedJob } from './rig.ts';

export type End = 'completed' | 'failed' | 'cancelled';

/** Where and when a fault strikes. */
export interface Site {
  rig: Rig;
  kind: Kind;
  place: Place;
  /** The call of the place, of this job only. */
  match: CallMatch;
}

export interface Fault {
  name: string;
  /**
   * Set up before the job starts; what it gives is called once the job runs, and throws a NotReachedError when
   * there was nothing to strike at.
   */
  arm(site: Site): Promise<(job: StruckJob) => Promise<void>>;
  /** Where it can strike; anywhere unless given. */
  appliesTo?(kind: Kind, place: Place): boolean;
  /** How the job may end. */
  allows(site: Site): readonly End[];
  /** It takes effect late: the system has to allow for calls that are as late as that. */
  isLate?: boolean;
}

export interface StruckJob extends StartedJob {
  /** Resolves when the job has ended, or the time for that is up. */
  ended: Promise<unknown>;
}

/** The call at which the fault was to strike did not come. */
export class NotReachedError extends Error {
  constructor() {
    super('The call at which the fault was to strike did not come.');
    this.name = 'NotReachedError';
  }
}

const REACH_MS = 20_000;

export async function untilHeld(hold: Hold, { ended }: StruckJob): Promise<void> {
  const state = await Promise.race([hold.reached(REACH_MS), ended.then(() => hold.reached(0))]);
  if (state !== 'held') throw new NotReachedError();
}
