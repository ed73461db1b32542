import type { JobType } from '@gateway/jobs';
import type { Rig, StartedJob } from './rig.ts';

/** A call of a step, at which a fault can strike. */
export interface Act {
  /** Tells the acts of one step apart. */
  label?: string;
  /** As the simulated cloud names them; any where absent. */
  service?: string;
  operation?: string;
  /** Which one of such calls under the job's request id; the first unless given. */
  nth?: number;
  /** It changes nothing: for steps without a call that does. */
  isRead?: boolean;
}

/** `not taken`: the step does not apply to this kind. `no call`: it asks nobody anything. */
export type StepEntry = readonly Act[] | 'not taken' | 'no call';

/** One kind of long work, as the suite has to know it. */
export interface Kind {
  name: string;
  jobType: JobType;
  /** The names of its steps, from the saga itself. */
  steps: readonly string[];
  entries: Record<string, StepEntry>;
  /** What there has to be more of (or less, below zero) when it was completed, by kind of resource; else as before. */
  completed: Record<string, number>;
  /** Whether faults that take long to show strike it too. */
  isThorough: boolean;
  /** Whether a job that was asked to stop has to turn back, at any time or up to a step. */
  turnsBack: boolean;
  /** The step from which there is no way back. */
  commitsAt?: string;
  /** Who asks for it; the demo user unless given. */
  asker?: 'demo' | 'admin';
  /** Makes what the work is about; what it gives goes to `start`. */
  prepare(rig: Rig): Promise<string>;
  start(rig: Rig, subject: string, requestId: string): Promise<StartedJob>;
  /** What is wrong beyond what the counts show, once the job has ended; nothing to say unless given. */
  inspect?(rig: Rig, subject: string, isCompleted: boolean): Promise<string[]>;
}

/** An act with the step it belongs to. */
export interface Place extends Act {
  step: string;
  name: string;
  isLast: boolean;
  /** The step from which there is no way back, or one after it. */
  isCommitted: boolean;
  /** Whether there is something to delete when the job turns back here. */
  takesBack: boolean;
}

/**
 * Where faults can strike, in the order of the steps.
 * @throws when a step has no entry, or an entry no step.
 */
export function placesOf({ name, steps, entries, commitsAt }: Kind): Place[] {
  const unknown = Object.keys(entries).filter((step) => !steps.includes(step));
  const missing = steps.filter((step) => entries[step] === undefined);
  if (unknown.length > 0) throw new Error(`${name} has no step ${unknown.join(', ')}`);
  if (missing.length > 0) throw new Error(`The fault suite does not know ${missing.join(', ')} of ${name}`);
  const acts = steps.flatMap((step) => {
    const entry = entries[step];
    return typeof entry === 'object' ? entry.map((act) => ({ ...act, step })) : [];
  });
  return acts.map((act, index) => ({
    ...act,
    name: act.label === undefined ? act.step : `${act.step}/${act.label}`,
    isLast: index === acts.length - 1,
    isCommitted: commitsAt !== undefined && steps.indexOf(act.step) >= steps.indexOf(commitsAt),
    takesBack: acts.slice(0, index).some(({ operation }) => operation?.endsWith('.create')),
  }));
}

/** How often each creating call of a job may take effect. */
export function createsOf(kind: Kind): Map<string, number> {
  const creates = new Map<string, number>();
  for (const { operation = '' } of placesOf(kind).filter(isCreating)) {
    creates.set(operation, (creates.get(operation) ?? 0) + 1);
  }
  return creates;
}

export function isCreating({ operation, isRead }: Act): boolean {
  return isRead !== true && /\.(create|allow_access)$/.test(operation ?? '');
}
