import type { Leftover } from '@gateway/jobs';

/**
 * A step is one thing a long operation makes, with what it takes to take it back. What it makes carries the
 * job's id, so that `find` can tell whether a process that died had already made it.
 *
 * `State` is what the steps of one saga leave behind for each other; each step gives the part it adds.
 */
export interface Step<Context, State extends object, Result extends Partial<State> = Partial<State>> {
  /** The step's name in the journal; never changed once released. */
  name: string;
  /** Published when the step begins; a step without it is silent. A function decides from input and earlier results. */
  beginUpdate?: ProgressUpdate | ((context: StepContext<Context, State>) => ProgressUpdate);
  /** Told as soon as it has acted, where somebody waits for what it makes and not for its being ready. */
  madeUpdate?: ProgressUpdate;
  /** A step that does not apply is skipped; decided from input and earlier results alone. */
  when?(context: StepContext<Context, State>): boolean;
  /** Acts: one call that makes one thing. Never repeated when `find` shows that it has happened. */
  run(context: StepContext<Context, State>): Promise<Result>;
  /**
   * It makes several things, by a call each. That one of them is refused does not say that nothing was made, and
   * what is found may not be all: `run` is repeated, and must itself adopt what is there. `find` is for taking back.
   * Only for steps with `rejectsDuplicates`: things that could be made twice get a step each.
   */
  multiCall?: boolean;
  /** A second call changes nothing more: the call is sent again after a fault that may hide an effect. */
  idempotent?: boolean;
  /** The service refuses a second call because of the first: a run that takes over need not wait for a late call. */
  rejectsDuplicates?: boolean;
  /**
   * Everything in the cloud that calls of this step have made for this job, known by the job's mark: none, one, or several
   * when a call came through after it had been given up. The first is the one to keep.
   */
  find?(context: StepContext<Context, State>): Promise<Result[]>;
  /** The id of what the job is about, once this step has made it; kept on the job. */
  resourceId?(result: Result): string;
  /**
   * Waits until what was made can be used; may add to the result, and may be repeated. A wait for something
   * that takes its time may throw a `ParkedError` instead.
   */
  settle?(
    context: StepContext<Context, State>,
    result: Result,
    tell: PublishProgress<State>,
  ): Promise<Partial<State> | undefined>;
  /**
   * Once it has begun there is no way back: who asks for a cancellation then is refused, and when it is made, what
   * fails later is tried again and not taken back.
   */
  commits?: boolean;
  /** Takes back what was made. Repeatable: what is gone already counts as taken back. */
  undo?(context: StepContext<Context, State>, result: Result): Promise<void>;
  /**
   * Whether what was found is, or is part of, the step's own result, and no second copy. Two things are the same when
   * `leftover` gives the same id, unless the step says otherwise.
   */
  isOwn?(result: Result, found: Result): boolean;
  /** Names what the step made: to tell two such things apart, and to report what `undo` could not remove. */
  leftover?(result: Result): { type: string; id: string };
  /** What the step itself, though done, had to leave behind. */
  leftovers?(result: Result): Leftover[];
  /** Tries again, once, to remove what the step had to leave behind; gives the result as it then is. */
  sweep?(context: StepContext<Context, State>, result: Result): Promise<Result>;
}

/** Tells the streams how a step comes along. What it adds to the result so far is there for every later run. */
export type PublishProgress<State extends object> = (
  announcement: ProgressUpdate,
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
   * When the step began, or for `settle` when it had acted, in milliseconds since the epoch: its deadlines count from
   * then, whoever runs it now.
   */
  readonly since: number;
  /** Ends waits early: the job was cancelled, or this process hands it back. While undoing only the latter. */
  readonly signal: AbortSignal;
};

/** Ties the types of one step's parts together: `undo` receives what `run` returns. */
export function defineStep<Context, State extends object>() {
  return <Result extends Partial<State>>(step: Step<Context, State, Result>): Step<Context, State> => {
    if (step.multiCall && !step.rejectsDuplicates)
      throw new Error(`Step ${step.name} must reject duplicates.`);
    return step as unknown as Step<Context, State>;
  };
}

/** True when both name the same thing, or when the step has nothing to tell its things apart by. */
export function isOwn<Context, State extends object>(
  step: Step<Context, State>,
  result: Partial<State>,
  found: Partial<State>,
): boolean {
  if (step.isOwn !== undefined) return step.isOwn(result, found);
  return step.leftover?.(result).id === step.leftover?.(found).id;
}
