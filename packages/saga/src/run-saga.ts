import { GatewayError, toGatewayError } from '@gateway/core';
import {
  CancelRequestedError,
  type JobFailure,
  type RecordChanges,
  RecordGoneError,
  SupersededError,
} from '@gateway/jobs';
import { isTransient } from '@gateway/openstack';
import type { JournalEntry, JournalState, News } from './journal.ts';
import { removeDuplicates } from './remove-duplicates.ts';
import { rollBack } from './roll-back.ts';
import { canDuplicate, findOne, runWithRetries, UnansweredError } from './run-with-retries.ts';
import {
  CANCELLED,
  JournalWriteError,
  ParkedError,
  ReleasedError,
  type SagaOutcome,
  type SagaRun,
} from './saga.ts';
import type { PublishProgress, Step, StepContext } from './step.ts';

/** Pauses between two looks for a late call. */
const FIRST_LOOK_MS = 500;
const LONGEST_LOOK_MS = 10_000;

/**
 * Runs the steps, or goes on where an earlier run stopped. Ends with everything made, or, after a failure or
 * a cancellation, with everything taken back in reverse order. A run that is handed back, parked or superseded
 * throws and leaves the rest to the next one.
 */
export async function runSaga<Context, State extends object>(
  run: SagaRun<Context, State>,
): Promise<SagaOutcome<State>> {
  const journal = await run.journal.load();
  const state: Partial<State> = {};
  for (const entry of journal.steps.values()) Object.assign(state, entry.result);

  const failure = journal.rollbackReason ?? (await goForward(run, journal, state));
  if (failure !== null) return { kind: 'failed', state, failure, ...(await rollBack(run, journal, state)) };
  const extras = await removeDuplicates(run, journal, state);
  const leftovers = run.steps.flatMap((step) => {
    const result = journal.steps.get(step.name)?.result as Partial<State> | undefined;
    return result === undefined ? [] : (step.leftovers?.(result) ?? []);
  });
  return {
    kind: 'completed',
    state,
    leftovers: [...leftovers, ...extras.leftovers],
    isCommitted: isCommitted(run, journal),
    isUncertain: extras.isUncertain,
  };
}

/** Null when every step is done, else why the saga turned back; that is in the journal by then. */
async function goForward<Context, State extends object>(
  run: SagaRun<Context, State>,
  journal: JournalState,
  state: Partial<State>,
): Promise<JobFailure | null> {
  let current: string | null = null;
  try {
    if (run.abortReason && !isCommitted(run, journal)) throw failureError(run.abortReason);
    for (const step of run.steps) {
      current = step.name;
      if (run.stopping.aborted) throw new ReleasedError();
      const earlier = earlierTry(journal, step.name);
      const isBound = isCommitting(run, journal);
      if (run.cancelled.aborted && !isBound) throw cancelledError();
      const signal =
        isBound || step.commits === true ? run.stopping : AbortSignal.any([run.cancelled, run.stopping]);
      const since = earlier?.at ?? Date.now();
      const context: StepContext<Context, State> = { ...run.context, state, since, signal };
      if (earlier?.phase === 'done' || step.when?.(context) === false) continue;
      await takeStep(run, step, journal, context, state);
    }
    if (run.cancelled.aborted && !isCommitted(run, journal)) throw cancelledError();
    return null;
  } catch (error) {
    const isCommittedNow = isCommitted(run, journal);
    const isWished = run.cancelled.aborted || error instanceof CancelRequestedError;
    const isCancelled = isWished && !isCommittedNow;
    if (error instanceof SupersededError || error instanceof JournalWriteError) throw error;
    if (error instanceof ParkedError && !isCancelled) throw error;
    // Nobody can take up what the store has lost.
    const isLost = error instanceof RecordGoneError;
    if (run.stopping.aborted && !isCancelled && !isLost) throw new ReleasedError();
    if (isCommittedNow) throw error;
    const cause = isCancelled ? cancelledError() : toGatewayError(error);
    run.events?.onRollBack?.(current, error);
    const failure = { status: cause.status, code: cause.code, detail: cause.message };
    journal.isLost = await isGone(run.journal.startRollback(failure));
    return failure;
  }
}

async function takeStep<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  journal: JournalState,
  context: StepContext<Context, State>,
  state: Partial<State>,
): Promise<void> {
  const started = performance.now();
  const record = async (entry: JournalEntry, news?: News, changes?: RecordChanges) => {
    // Known here before it is known anywhere else: what a store that lost the job can not tell a rollback.
    journal.steps.set(step.name, entry);
    const write = faultless(run.journal.write(step.name, entry, news, changes));
    // Where there is no way back, the way on is the only one, and nobody can take it up.
    await (isCommitted(run, journal) ? isGone(write) : write);
  };
  const earlier = earlierTry(journal, step.name);
  let isUncertain = earlier?.isUncertain;
  let isRefused = false;
  try {
    let result = earlier?.result as Partial<State> | undefined;
    let at = earlier?.at ?? Date.now();
    if (earlier === undefined) {
      const { beginUpdate: announce } = step;
      const announcement = typeof announce === 'function' ? announce(context) : announce;
      const news = announcement && run.news(announcement, state);
      await record({ phase: 'begun', at }, news, step.commits === true ? { isBinding: true } : {});
    }
    if (result === undefined && earlier !== undefined && step.find !== undefined) isUncertain = true;
    if (result === undefined && earlier !== undefined && canDuplicate(step)) {
      result = (await adoptLate(run, step, context, { earlier, record })) ?? undefined;
      at = Date.now();
      if (result === undefined) await record({ phase: 'begun', at, isUncertain });
    }
    if (result === undefined) {
      result = await runWithRetries(run, step, context, {
        isInterrupted: earlier !== undefined,
        onUncertain: () => {
          isUncertain = true;
        },
        onRefused: () => {
          isRefused = true;
        },
      });
      at = Date.now();
    }
    if (earlier?.result === undefined) {
      const resourceId = step.resourceId?.(result);
      Object.assign(state, result);
      const made = { phase: 'made', at, result, isUncertain } as const;
      await record(made, step.madeUpdate && run.news(step.madeUpdate, state), { resourceId });
    }
    const tell: PublishProgress<State> = async (announcement, more) => {
      result = Object.assign({}, result, more);
      Object.assign(state, result);
      await record({ phase: 'made', at, result, isUncertain }, run.news(announcement, state));
    };
    const added = await step.settle?.({ ...context, since: at }, result, tell);
    if (added !== undefined) result = Object.assign({}, result, added);
    Object.assign(state, result);
    await record({ phase: 'done', at, result, isUncertain });
    run.events?.onStep?.(step.name, 'completed', performance.now() - started);
  } catch (error) {
    if (error instanceof ParkedError) throw error;
    if (error instanceof UnansweredError) {
      const lateUntil = Date.now() + run.lateCallMs;
      await record({ phase: 'orphaned', at: earlier?.at ?? Date.now(), lateUntil, isUncertain });
      throw new ParkedError(FIRST_LOOK_MS);
    }
    run.events?.onStep?.(step.name, 'failed', performance.now() - started);
    // For the rollback of this run, and with what that writes for every later one.
    if (isUncertain) markUncertain(journal, step.name);
    // It was not let begin.
    if (error instanceof CancelRequestedError) journal.steps.delete(step.name);
    if (isRefused) await isGone(record({ phase: 'refused' }));
    throw error;
  }
}

type RecordEntry = (entry: JournalEntry) => Promise<void>;

/**
 * Gives what a dead run's call has made; null when nothing can come of it any more. A service may go on with a call whose
 * sender is dead: until the time for that is over the job is parked between two looks, and no second call is sent.
 */
async function adoptLate<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
  { earlier, record }: { earlier: JournalEntry; record: RecordEntry },
): Promise<Partial<State> | null> {
  const { at, lateUntil = Date.now() + run.lateCallMs } = earlier;
  if (earlier.phase !== 'orphaned') await record({ phase: 'orphaned', at, lateUntil, isUncertain: true });
  const lookedAt = Date.now();
  const found = await findOne(step, context).catch((error: unknown) => {
    run.events?.onRetry?.(step.name, error);
    if (isTransient(error) && lookedAt < lateUntil + run.retryTimeoutMs) throw new ParkedError(FIRST_LOOK_MS);
    throw error;
  });
  if (found !== null || lookedAt >= lateUntil) return found;
  const waitedMs = lookedAt - (lateUntil - run.lateCallMs);
  throw new ParkedError(
    Math.min(Math.max(waitedMs / 2, FIRST_LOOK_MS), LONGEST_LOOK_MS, lateUntil - lookedAt),
  );
}

function markUncertain(journal: JournalState, step: string): void {
  const entry = journal.steps.get(step);
  if (entry !== undefined) journal.steps.set(step, { ...entry, isUncertain: true });
}

/** What earlier runs came to with a step. One that was refused is as if it had not begun: it begins anew. */
function earlierTry(journal: JournalState, step: string): JournalEntry | undefined {
  const entry = journal.steps.get(step);
  return entry?.phase === 'refused' ? undefined : entry;
}

/** Tells what the store did to a write from what it said of the job. */
async function faultless(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    const isWord = [SupersededError, RecordGoneError, CancelRequestedError].some(
      (word) => error instanceof word,
    );
    throw isWord ? error : new JournalWriteError(error);
  }
}

/** True when the store has lost the job and keeps nothing more of it; what was made is taken back all the same. */
async function isGone(write: Promise<void>): Promise<boolean> {
  try {
    await write;
    return false;
  } catch (error) {
    if (error instanceof RecordGoneError) return true;
    throw error;
  }
}

/** A step from which there is no way back has taken effect. */
function isCommitted<Context, State extends object>(
  { steps }: SagaRun<Context, State>,
  journal: JournalState,
): boolean {
  return steps.some(({ commits, name }) => {
    const phase = journal.steps.get(name)?.phase;
    return commits === true && (phase === 'made' || phase === 'done');
  });
}

/** Such a step has begun, and may have taken effect: a wish to cancel is not heard any more. */
function isCommitting<Context, State extends object>(
  { steps }: SagaRun<Context, State>,
  journal: JournalState,
): boolean {
  return steps.some(({ commits, name }) => commits === true && earlierTry(journal, name) !== undefined);
}

function failureError({ status, code, detail }: JobFailure): GatewayError {
  return new GatewayError(status, code, detail);
}

function cancelledError(): GatewayError {
  return new GatewayError(409, CANCELLED, 'The job was cancelled.');
}
