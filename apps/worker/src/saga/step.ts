import type { Leftover } from '@gateway/jobs';

/**
 * One step of a saga: creates one resource and can undo it. The resource carries the job's id, so that `find`
 * can detect whether a process that died had already created it.
 *
 * `State` holds the results of all steps of a saga; each step adds a part.
 */
export interface Step<Context, State extends object, Result extends Partial<State> = Partial<State>> {
  /** The step's name in the journal; never changed once released. */
  name: string;
  /**
   * Published when the step begins; a step without it is silent. A function decides from input and earlier
   * results.
   */
  beginUpdate?: ProgressUpdate | ((context: StepContext<Context, State>) => ProgressUpdate);
  /**
   * Published once the step's call has taken effect, for callers that wait for the resource but not until it
   * is ready.
   */
  appliedUpdate?: ProgressUpdate;
  /** A step that does not apply is skipped; decided from input and earlier results alone. */
  when?(context: StepContext<Context, State>): boolean;
  /**
   * Published while a service is unavailable. With it, the job waits for the service, parked, for as long as
   * that takes; without it, the job fails after `retryTimeoutMs`. For steps that only read.
   *
   * @param service the name of the service for users
   */
  unavailableUpdate?(service: string): ProgressUpdate;
  /**
   * Makes the resource with one call. Not repeated when `find` shows that the call took effect. A step that
   * can be repeated from its beginning, as a removal, may throw a `ParkedError` instead of waiting.
   */
  run(context: StepContext<Context, State>): Promise<Result>;
  /**
   * What a repeated call does. Absent: it may make a duplicate, so that a later run first waits until the
   * call of a dead run can no longer take effect.
   *
   * - `idempotent`: it changes nothing more, and is sent again after a fault that may hide an effect.
   * - `rejected`: the service refuses it because of the first.
   * - `adopts`: `run` creates several resources, with a call each, all of which the service refuses to make
   *   twice. It is repeated and adopts what exists. `find` may return only some of them: it serves the
   *   rollback, and shows whether anything exists.
   */
  onRepeat?: 'idempotent' | 'rejected' | 'adopts';
  /**
   * All resources with the job's mark that calls of this step have created: none, one, or several after a
   * late call. The saga keeps the first.
   */
  find?(context: StepContext<Context, State>): Promise<Result[]>;
  /** The id of the job's main resource, if this step makes it; stored on the job. */
  resourceId?(result: Result): string;
  /**
   * Waits until the resource can be used. It may add to the result, and may be repeated. Instead of a long
   * wait it may throw a `ParkedError`.
   */
  settle?(
    context: StepContext<Context, State>,
    result: Result,
    publish: PublishProgress<State>,
  ): Promise<Partial<State> | undefined>;
  /**
   * Whether a request that `settle` has sent got no response, so that it may take effect after the saga's
   * end. `find` then returns what it has made, and `undo` removes that.
   */
  isUncertain?(result: Result): boolean;
  /**
   * Commits the saga: cancellation is refused once the step has begun, and after the step has taken effect
   * later failures are retried instead of rolled back.
   */
  commits?: boolean;
  /**
   * Once the step has begun, a cancellation waits for its end, in later runs too. For the removal of one of
   * several things, which no rollback restores: each is gone with its record, or untouched.
   */
  endsBeforeCancellation?: boolean;
  /**
   * Removes what the step made. Idempotent: succeeds when the resource is gone already. If it reverts a
   * change of something that stays, it throws a `ParkedError` until `lateUntil`: a late call would change it
   * again.
   */
  undo?(context: StepContext<Context, State>, result: Result): Promise<void>;
  /**
   * Whether a found resource is the step's result, or a part of it, rather than a duplicate. By default
   * resources are the same when `leftover` returns the same id.
   */
  isOwn?(result: Result, found: Result): boolean;
  /**
   * Whether only the owner of the job can find and undo what late calls of the step make: the service user
   * cannot replace them. The rights of the job then last until its sweeps are over.
   */
  sweepsAsOwner?: boolean;
  /**
   * Type and id of the created resource: to compare resources, and to report what `undo` could not remove.
   */
  leftover?(result: Result): { type: string; id: string };
  /** What a completed step could not remove. */
  leftovers?(result: Result): Leftover[];
  /** Tries once more to remove the step's leftovers; returns the updated result. */
  sweep?(context: StepContext<Context, State>, result: Result): Promise<Result>;
}

/**
 * Publishes the progress of a step; null for none. `added` is merged into the step's result and kept for
 * later runs.
 */
export type PublishProgress<State extends object> = (
  update: ProgressUpdate | null,
  added?: Partial<State>,
) => Promise<void>;

export interface ProgressUpdate {
  step: string;
  progress: number;
  message: string;
}

export type StepContext<Context, State extends object> = Context & {
  readonly state: Readonly<Partial<State>>;
  /**
   * When the step began, for `settle` when its call took effect, and for `undo` when the undo began, in
   * milliseconds since the epoch. Deadlines count from then, in every run.
   */
  readonly since: number;
  /**
   * Until when calls of earlier steps that got no response may still take effect, in milliseconds since the
   * epoch; 0 when there is no such call. In `undo`, those of all steps.
   */
  readonly lateUntil: number;
  /** Ends waits early: the job was cancelled or this process stops. During undo only the latter. */
  readonly signal: AbortSignal;
  /** The longest wait for one resource, whatever its time limit; sweeps have one. */
  readonly maxWaitMs?: number;
};

/** Ties the types of one step's parts together: `undo` receives what `run` returns. */
export function defineStep<Context, State extends object>() {
  return <Result extends Partial<State>>(step: Step<Context, State, Result>): Step<Context, State> =>
    step as unknown as Step<Context, State>;
}

/** True when both are the same resource, or when the step cannot distinguish its resources. */
export function isOwn<Context, State extends object>(
  step: Step<Context, State>,
  result: Partial<State>,
  found: Partial<State>,
): boolean {
  if (step.isOwn !== undefined) return step.isOwn(result, found);
  return step.leftover?.(result).id === step.leftover?.(found).id;
}

/**
 * A function for the update with which a step begins.
 *
 * @param progress of each step of the job
 */
export function announcer<Name extends string>(progress: Readonly<Record<Name, number>>) {
  return (step: Name, message: string): ProgressUpdate => ({ step, progress: progress[step], message });
}

/** The result of an earlier step. @throws when that step has not run: the order of the steps is wrong. */
export function requireState<State extends object, Key extends keyof State>(
  { state }: { readonly state: Readonly<Partial<State>> },
  key: Key,
): State[Key] {
  const value = state[key];
  if (value === undefined) throw new Error(`The saga has no ${String(key)} yet.`);
  return value as State[Key];
}
