import type { Leftover } from '@gateway/jobs';
import type { JournalState } from './journal.ts';
import { stateOf } from './journal-state.ts';
import { loadJournal } from './load-journal.ts';
import { removeDuplicates } from './remove-duplicates.ts';
import { rollBack } from './roll-back.ts';
import type { RollbackResult, SagaRun } from './saga.ts';
import type { Step, StepContext } from './step.ts';

/**
 * Prevents one resource that cannot be deleted from delaying the sweep of the others. The next sweep checks
 * whether the resource is gone.
 */
const MAX_WAIT_MS = 5_000;

/**
 * Tries once more to remove the leftovers of an ended saga, and searches for what late calls have made.
 * Returns what remains.
 */
export async function sweepSaga<Context, State extends object>(
  sagaRun: SagaRun<Context, State>,
): Promise<RollbackResult> {
  const run = { ...sagaRun, context: { ...sagaRun.context, maxWaitMs: MAX_WAIT_MS } };
  const journal = await loadJournal(run);
  const state = stateOf(run, journal);
  if (journal.rollbackReason !== null) return rollBack({ ...run, undoTimeoutMs: 0 }, journal, state);

  const duplicates = await removeDuplicates(run, journal, state);
  const { leftovers } = duplicates;
  for (const step of run.steps) leftovers.push(...(await sweepStep(run, step, journal, state)));
  return duplicates;
}

async function sweepStep<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  journal: JournalState,
  state: Partial<State>,
): Promise<Leftover[]> {
  const entry = journal.steps.get(step.name);
  const result = entry?.result as Partial<State> | undefined;
  const left = result === undefined ? [] : (step.leftovers?.(result) ?? []);
  if (entry === undefined || result === undefined || step.sweep === undefined || left.length === 0)
    return left;
  const signal = run.stopping;
  const ofSweep = { since: Date.now(), lateUntil: 0, signal };
  const context: StepContext<Context, State> = { ...run.context, state, ...ofSweep };
  const swept = await step.sweep(context, result);
  await run.journal.write(step.name, { ...entry, result: swept });
  return step.leftovers?.(swept) ?? [];
}
