import type { JobType } from '@gateway/jobs';
import type { Change } from './inventory-differences.ts';
import type { Rig, StartedJob } from './rig.ts';

/** A call of a step, at which a fault can be injected. */
export interface Act {
  /** Distinguishes the calls of one step. */
  label?: string;
  /** The names in the simulated cloud; any by default. */
  service?: string;
  operation?: string;
  /** The number of the call among matching calls of the job; 1 by default. */
  nth?: number;
  /** The call only reads: for steps without a write. */
  isRead?: boolean;
  /** A later step removes what the call makes: a call that comes after the job makes it once more. */
  isTemporary?: boolean;
  /** Not a call, but the report of a machine: for the faults of reports only. */
  isReport?: boolean;
}

/** A list that a deletion reads. */
interface ReadList {
  service: string;
  operation: string;
  /** The first read of the job, where the request reads the list before; 1 by default. */
  nth?: number;
  /**
   * What the job does while the list fails: it ends without what the list hides, waits before its first
   * effect, or fails with nothing changed.
   */
  meanwhile: 'ends' | 'waits' | 'fails';
  /** The kinds of resources of which the list hides some, or of which some need others that it hides. */
  hides?: readonly string[];
}

/** `not taken`: the step does not apply to this kind. `no call`: the step makes no upstream call. */
export type StepEntry = readonly Act[] | 'not taken' | 'no call';

/** A kind of job, as described to the fault suite. */
export interface Kind {
  name: string;
  jobType: JobType;
  /** The step names of the saga. */
  steps: readonly string[];
  entries: Record<string, StepEntry>;
  /** The lists of a deletion, each of which can fail for good. */
  lists?: readonly ReadList[];
  /** The expected change of the resource counts after completion, by kind; negative for deletions. */
  completed: Record<string, Change>;
  /** The number of create calls that take effect, by operation, where the entries do not determine it. */
  creates?: Record<string, number>;
  /**
   * The expected change after a failure, by kind, for a job that does not undo all; none by default. Null
   * leaves it to `inspect`.
   */
  whenFailed?(rig: Rig, subject: string): Promise<Record<string, Change> | null>;
  /**
   * A store that was set back has lost the gateway's own record of the result, which a later run cannot
   * complete: what the job has created stays, and `inspect` does not apply.
   */
  losesRecord?: boolean;
  /** Whether slow faults are tested with this kind. */
  runsSlowFaults: boolean;
  /** Whether the job can be cancelled and rolled back, at least until `commitsAt`. */
  isCancellable: boolean;
  /** The step after which the saga cannot be rolled back. */
  commitsAt?: string;
  /** A step whose refusal reverts what earlier steps have changed. */
  revertsAt?: string;
  /** The user who starts the job; `demo` by default. */
  user?: 'demo' | 'admin';
  /** Creates what the job needs. The result is passed to `start`. */
  prepare(rig: Rig): Promise<string>;
  /** For jobs that no request starts: the id with which the job sends its calls. */
  requestIdOf?(rig: Rig, subject: string): Promise<string>;
  start(rig: Rig, subject: string, requestId: string): Promise<StartedJob>;
  /** Additional problems after the job has ended, beyond resource counts. */
  inspect?(rig: Rig, subject: string, isCompleted: boolean): Promise<string[]>;
}

/** A call with its step. */
export interface Place extends Act {
  step: string;
  /** For a list that fails for good, whichever step reads it. */
  list?: ReadList;
  name: string;
  isLast: boolean;
  /** Whether the step is `commitsAt` or a later step. */
  isCommitted: boolean;
  /** Whether a rollback at this point has something to delete. */
  hasRollback: boolean;
}

/**
 * The points where faults can be injected, in the order of the steps.
 * @throws when a step has no entry, or an entry has no step.
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
    hasRollback: acts.slice(0, index).some(({ operation }) => operation?.endsWith('.create')),
  }));
}

/** The lists of a deletion, as places for the faults of lists. */
export function listPlacesOf({ lists = [] }: Kind): Place[] {
  return lists.map((list) => ({
    service: list.service,
    operation: list.operation,
    ...(list.nth !== undefined && { nth: list.nth }),
    isRead: true,
    list,
    step: 'list',
    name: `list/${list.operation}`,
    isLast: false,
    isCommitted: list.meanwhile === 'ends',
    hasRollback: false,
  }));
}

/** How often each create call of a job may take effect. */
export function createsOf(kind: Kind): Map<string, number> {
  const creates = new Map<string, number>();
  for (const { operation = '' } of placesOf(kind).filter(isCreating)) {
    creates.set(operation, (creates.get(operation) ?? 0) + 1);
  }
  for (const [operation, count] of Object.entries(kind.creates ?? {})) creates.set(operation, count);
  return creates;
}

export function isCreating({ operation, isRead }: Act): boolean {
  return (
    isRead !== true && /\.(create|allow_access|os-volume_upload_image|createImage)$/.test(operation ?? '')
  );
}
