import { GatewayError, sleep } from '@gateway/core';
import { type Leftover, RecordGoneError, SupersededError } from '@gateway/jobs';
import type { JournalEntry, JournalState } from './journal.ts';
import { isOver } from './journal-state.ts';
import { endOfLateCalls, mayHaveLateEffects } from './late-calls.ts';
import { leftoverOf, unknownLeftover, unknownSteps } from './leftovers.ts';
import { findCreated, searchesFirst } from './run-with-retries.ts';
import {
  isAccessLost,
  mustWait,
  ParkedError,
  ReleasedError,
  type RollbackResult,
  type SagaRun,
  traced,
} from './saga.ts';
import { isOwn, type Step, type StepContext } from './step.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/**
 * Undoes every step that may have made something, in reverse order. A failed undo is retried until
 * `undoTimeoutMs`; then the other steps are still undone, and what remains is returned as a leftover.
 *
 * @throws ParkedError when an undo waits for late calls, ReleasedError or SupersededError when another run
 * continues the rollback
 */
export async function rollBack<Context, State extends object>(
  sagaRun: SagaRun<Context, State>,
  journal: JournalState,
  state: Partial<State>,
): Promise<RollbackResult> {
  // A rollback ignores cancellation. It stops with the process, unless no other run could continue it.
  const signal = journal.isLost === true ? new AbortController().signal : sagaRun.stopping;
  const run = { ...sagaRun, stopping: signal };
  const leftovers: Leftover[] = [];
  let isUncertain = false;
  const lateUntil = journal.isLost === true ? 0 : endOfLateCalls(run, journal);
  const rest = { ...run.context, state, lateUntil, signal };
  for (const step of [...run.steps].reverse()) {
    const recorded = journal.steps.get(step.name);
    if (run.stopping.aborted) throw new ReleasedError();
    if (step.undo === undefined || (recorded !== undefined && isOver(recorded))) continue;
    const entry = recorded ?? (await searchUnrecorded(run, step, { ...rest, since: Date.now() }));
    if (entry === null) continue;
    const undoing: Undoing = { ...entry, undoingSince: entry.undoingSince ?? Date.now() };
    // The call of an interrupted step may have taken effect without a record, or may still do so.
    const isUnrecorded = entry.result === undefined && step.find !== undefined;
    if (isUnrecorded || mayHaveLateEffects(step, entry)) undoing.isUncertain = true;
    if (undoing.isUncertain && step.find !== undefined) isUncertain = true;
    if (entry.undoingSince === undefined) await write(run, step.name, undoing);
    const context = { ...rest, since: undoing.undoingSince };
    const leftover = await traced(run, `undo ${step.name}`, () => undoStep(run, step, context, undoing));
    if (leftover !== null) leftovers.push(leftover);
    else await write(run, step.name, { ...undoing, phase: 'undone' });
  }
  leftovers.push(...unknownSteps(run, journal).map(unknownLeftover));
  return { leftovers, isUncertain };
}

/** What a step has made although the journal, which may be behind, has nothing of it. */
async function searchUnrecorded<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
): Promise<JournalEntry | null> {
  if (!searchesFirst(run, step)) return null;
  try {
    if (step.when?.(context) === false) return null;
    // The undo searches for all that the step has made: `find` may give a part of it first.
    return (await findCreated(step, context)) && { phase: 'begun' };
  } catch (error) {
    // The undo searches again. Without the results of the steps before it, a step has made nothing.
    return error instanceof GatewayError ? { phase: 'begun' } : null;
  }
}

type Undoing = JournalEntry & { undoingSince: number };

/** Returns null when everything that the step made is gone, else what is left. */
async function undoStep<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
  undoing: Undoing,
): Promise<Leftover | null> {
  const started = performance.now();
  let current: Partial<State> | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    try {
      for (current of await everythingMade(step, context, undoing)) await step.undo?.(context, current);
      run.events?.onStep?.(step.name, 'undone', performance.now() - started);
      return null;
    } catch (error) {
      if (error instanceof SupersededError) throw error;
      if (mustWait(error)) {
        // Its time limit counts from when it can begin.
        const pauseMs = error instanceof ParkedError ? error.pauseMs : 0;
        await write(run, step.name, { ...undoing, undoingSince: Date.now() + pauseMs });
        throw error;
      }
      if (run.stopping.aborted) throw new ReleasedError();
      run.events?.onUndoFailed?.(step.name, error);
      if (isAccessLost(error) || Date.now() + pauseMs > undoing.undoingSince + run.undoTimeoutMs) {
        run.events?.onStep?.(step.name, 'left', performance.now() - started);
        return leftoverOf(step, current, error);
      }
    }
    await pause(pauseMs, run.stopping);
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  }
}

/** The resource in the journal, and others that `find` returns when the effect of a call is unknown. */
async function everythingMade<Context, State extends object>(
  step: Step<Context, State>,
  context: StepContext<Context, State>,
  { phase, at, result, isUncertain }: JournalEntry,
): Promise<Partial<State>[]> {
  const own = phase === 'undone' || result === undefined ? [] : [result as Partial<State>];
  if (!isUncertain) return own;
  // What is as new as the step counts, not what is as new as its undo.
  const found = (await step.find?.({ ...context, since: at ?? context.since })) ?? [];
  return [...own, ...found.filter((other) => own[0] === undefined || !isOwn(step, own[0], other))];
}

/** Keeps the result in the journal, because the undo of other steps may need it. */
async function write<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: string,
  entry: JournalEntry,
): Promise<void> {
  try {
    await run.journal.write(step, entry);
  } catch (error) {
    // No other run can continue a job that the store has lost: roll back the rest.
    if (!(error instanceof RecordGoneError)) throw error;
  }
}

/** Stops waiting when the process stops: the run that resumes the job continues the retries. */
async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  try {
    await sleep(ms, stopping);
  } catch {
    throw new ReleasedError();
  }
}
