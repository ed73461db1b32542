import { GatewayError, toGatewayError } from '@gateway/core';
import {
  CancelRequestedError,
  failureError,
  INTERRUPTED,
  type JobFailure,
  RecordGoneError,
  SupersededError,
  toJobFailure,
} from '@gateway/jobs';
import type { JournalState } from './journal.ts';
import {
  hasToUndo,
  isCommitted,
  isCommitting,
  isRecordGone,
  previousEntry,
  stateOf,
} from './journal-state.ts';
import { begunSteps, endOfLateCalls, suspectCalls } from './late-calls.ts';
import { unknownSteps } from './leftovers.ts';
import { loadJournal } from './load-journal.ts';
import { removeDuplicates } from './remove-duplicates.ts';
import { requireUnended } from './require-unended.ts';
import { rollBack } from './roll-back.ts';
import { runStep } from './run-step.ts';
import {
  CANCELLED,
  EndedBeforeError,
  JournalWriteError,
  mustWait,
  ParkedError,
  ReleasedError,
  type SagaOutcome,
  type SagaRun,
  traced,
} from './saga.ts';
import type { StepContext } from './step.ts';

/** Until another worker gets a job with steps that this one does not know. */
const UNKNOWN_STEP_PAUSE_MS = 5_000;

/**
 * Runs the steps, or continues where an earlier run stopped. Either all steps complete or, after a failure or
 * a cancellation, all are rolled back in reverse order. See decision 3.
 *
 * @throws ReleasedError, ParkedError or SupersededError when another run continues the saga
 */
export async function runSaga<Context, State extends object>(
  run: SagaRun<Context, State>,
): Promise<SagaOutcome<State>> {
  const journal = await loadJournal(run);
  const state = stateOf(run, journal);
  try {
    return await runLoaded(run, journal, state);
  } catch (error) {
    if (!(error instanceof EndedBeforeError)) throw error;
    return { kind: 'failed', state, failure: INTERRUPTED, leftovers: [], isUncertain: false };
  }
}

async function runLoaded<Context, State extends object>(
  run: SagaRun<Context, State>,
  journal: JournalState,
  state: Partial<State>,
): Promise<SagaOutcome<State>> {
  // Whoever cancels the job need not wait for a newer worker.
  if (!run.cancelled.aborted && unknownSteps(run, journal).length > 0) {
    throw new ParkedError(UNKNOWN_STEP_PAUSE_MS);
  }
  const failure = journal.rollbackReason ?? (await runSteps(run, journal, state));
  if (failure !== null) return { kind: 'failed', state, failure, ...(await rollBack(run, journal, state)) };
  const duplicates = await removeDuplicates(run, journal, state);
  const leftovers = run.steps.flatMap((step) => {
    const result = journal.steps.get(step.name)?.result as Partial<State> | undefined;
    return result === undefined ? [] : (step.leftovers?.(result) ?? []);
  });
  return {
    ...duplicates,
    kind: 'completed',
    state,
    leftovers: [...leftovers, ...duplicates.leftovers],
    isCommitted: isCommitted(run, journal),
  };
}

/**
 * Returns null when every step is done, otherwise the reason for a rollback, which is in the journal by then.
 */
async function runSteps<Context, State extends object>(
  run: SagaRun<Context, State>,
  journal: JournalState,
  state: Partial<State>,
): Promise<JobFailure | null> {
  let current: string | null = null;
  const interrupted = begunSteps(journal);
  try {
    if (run.abortReason && !isCommitted(run, journal)) throw failureError(run.abortReason);
    for (const step of run.steps) {
      current = step.name;
      if (run.stopping.aborted) throw new ReleasedError();
      const previous = previousEntry(journal, step.name);
      const canCancel = !isCommitting(run, journal) && !isEnding(run, journal);
      if (run.cancelled.aborted && canCancel) throw cancelledError();
      const isInterruptible = canCancel && step.commits !== true && step.endsBeforeCancellation !== true;
      const signal = isInterruptible ? AbortSignal.any([run.cancelled, run.stopping]) : run.stopping;
      const since = previous?.at ?? Date.now();
      const lateUntil = endOfLateCalls(run, journal);
      const context: StepContext<Context, State> = { ...run.context, state, since, lateUntil, signal };
      if (previous?.phase === 'done' || step.when?.(context) === false) continue;
      await traced(run, step.name, () => runStep(run, step, { journal, context, state }));
    }
    if (run.cancelled.aborted && !isCommitted(run, journal)) throw cancelledError();
    return null;
  } catch (error) {
    const hasCommitted = isCommitted(run, journal);
    const isCancelRequested = run.cancelled.aborted || error instanceof CancelRequestedError;
    const isCancelled = isCancelRequested && !hasCommitted && !isEnding(run, journal);
    if (error instanceof SupersededError || error instanceof JournalWriteError) throw error;
    if (error instanceof EndedBeforeError) throw error;
    if (mustWait(error) && !isCancelled) throw error;
    // No other run can continue a job that the store has lost, so this run rolls it back.
    const isLost = error instanceof RecordGoneError;
    if (run.stopping.aborted && !isCancelled && !isLost) throw new ReleasedError();
    if (hasCommitted) throw error;
    const cause = isCancelled ? cancelledError() : toGatewayError(error);
    // A user who cancels asks for the removal.
    if (!isCancelled && !isLost) await requireUnended(run, contextOfEnd(run, state));
    run.events?.onRollBack?.(current, error);
    const failure = toJobFailure(cause);
    await suspectCalls(run, journal, interrupted);
    journal.isLost = await isRecordGone(run.journal.startRollback(failure, hasToUndo(run, journal)));
    return failure;
  }
}

/** Whether a step has begun that has to end before a cancellation. */
function isEnding<Context, State extends object>(
  run: SagaRun<Context, State>,
  journal: JournalState,
): boolean {
  return run.steps.some(({ endsBeforeCancellation, name }) => {
    const phase = previousEntry(journal, name)?.phase;
    return endsBeforeCancellation === true && phase !== undefined && phase !== 'done';
  });
}

function cancelledError(): GatewayError {
  return new GatewayError(409, CANCELLED, 'The job was cancelled.');
}

function contextOfEnd<Context, State extends object>(
  { context, stopping: signal }: SagaRun<Context, State>,
  state: Partial<State>,
): StepContext<Context, State> {
  return { ...context, state, since: Date.now(), lateUntil: 0, signal };
}
