import { GatewayError, toGatewayError } from '@gateway/core';
import { type JobFailure, type RecordChanges, SupersededError } from '@gateway/jobs';
import type { JournalEntry, JournalState, News } from './journal.ts';
import { rollBack } from './roll-back.ts';
import { CANCELLED, HandedBackError, type SagaOutcome, type SagaRun } from './saga.ts';
import type { Step, StepContext } from './step.ts';

/**
 * Runs the steps, or goes on where an earlier run stopped. Ends with everything made, or, after a failure or
 * a cancellation, with everything taken back in reverse order. A run that is handed back or superseded throws
 * and leaves the rest to the next one.
 */
export async function runSaga<Context, State extends object>(
  run: SagaRun<Context, State>,
): Promise<SagaOutcome<State>> {
  const journal = await run.journal.load();
  const state: Partial<State> = {};
  for (const entry of journal.steps.values()) Object.assign(state, entry.result);

  const failure = journal.turnedBack ?? (await goForward(run, journal, state));
  if (failure === null) return { kind: 'completed', state };
  const leftovers = await rollBack(run, journal, state);
  return { kind: 'failed', state, failure, leftovers };
}

/** Null when every step is done, else why the saga turned back; that is in the journal by then. */
async function goForward<Context, State extends object>(
  run: SagaRun<Context, State>,
  journal: JournalState,
  state: Partial<State>,
): Promise<JobFailure | null> {
  const signal = AbortSignal.any([run.cancelled, run.handedBack]);
  const context: StepContext<Context, State> = { ...run.context, state, signal };
  let current: string | null = null;
  try {
    for (const step of run.steps) {
      current = step.name;
      if (run.handedBack.aborted) throw new HandedBackError();
      if (run.cancelled.aborted) throw cancelledError();
      if (journal.steps.get(step.name)?.phase === 'done' || step.when?.(context) === false) continue;
      await takeStep(run, step, journal, context, state);
    }
    return null;
  } catch (error) {
    if (error instanceof SupersededError) throw error;
    if (run.handedBack.aborted && !run.cancelled.aborted) throw new HandedBackError();
    const cause = run.cancelled.aborted ? cancelledError() : toGatewayError(error);
    run.events?.onTurnBack?.(current, error);
    const failure = { status: cause.status, code: cause.code, detail: cause.message };
    await run.journal.turnBack(failure);
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
    await run.journal.write(step.name, entry, news, changes);
    journal.steps.set(step.name, entry);
  };
  try {
    const earlier = journal.steps.get(step.name);
    let result = earlier?.result as Partial<State> | undefined;
    if (earlier === undefined) {
      await record({ phase: 'begun' }, step.announce && run.news(step.announce, state));
    }
    if (result === undefined) {
      result = await act(step, context, earlier !== undefined);
      const resourceId = step.resourceId?.(result);
      await record({ phase: 'made', result }, undefined, { resourceId });
      Object.assign(state, result);
    }
    const added = await step.settle?.(context, result);
    if (added !== undefined) result = Object.assign({}, result, added);
    await record({ phase: 'done', result });
    Object.assign(state, result);
    run.events?.onStep?.(step.name, 'completed', performance.now() - started);
  } catch (error) {
    run.events?.onStep?.(step.name, 'failed', performance.now() - started);
    throw error;
  }
}

/** Acts, unless an interrupted run has acted already, or the service did act though it answered otherwise. */
async function act<Context, State extends object>(
  step: Step<Context, State>,
  context: StepContext<Context, State>,
  interrupted: boolean,
): Promise<Partial<State>> {
  const made = interrupted ? await step.find?.(context) : null;
  if (made != null) return made;
  try {
    return await step.run(context);
  } catch (error) {
    const found = mayHaveActed(error) ? await step.find?.(context) : null;
    if (found != null) return found;
    throw error;
  }
}

/** A call that was refused has not acted; one that timed out or broke may have. */
function mayHaveActed(error: unknown): boolean {
  return error instanceof GatewayError && error.upstream !== undefined && error.status >= 500;
}

function cancelledError(): GatewayError {
  return new GatewayError(409, CANCELLED, 'The job was cancelled.');
}
