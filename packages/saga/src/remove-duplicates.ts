import { GatewayError } from '@gateway/core';
import type { Leftover } from '@gateway/jobs';
import type { JournalState } from './journal.ts';
import { leftoverOf } from './leftover-of.ts';
import { ReleasedError, type RollbackResult, type SagaRun } from './saga.ts';
import { isOwn, type Step, type StepContext } from './step.ts';

/**
 * Removes what bears the job's mark and is not the job's: what a call has made that came through after another one had made
 * the same. Only for steps with a call whose fate is not known, when every step is done. What does not go is named, and
 * tried again later.
 */
export async function removeDuplicates<Context, State extends object>(
  run: SagaRun<Context, State>,
  journal: JournalState,
  state: Partial<State>,
): Promise<RollbackResult> {
  const leftovers: Leftover[] = [];
  let isUncertain = false;
  for (const step of [...run.steps].reverse()) {
    const entry = journal.steps.get(step.name);
    if (entry?.isUncertain !== true || entry.result === undefined || step.undo === undefined) continue;
    isUncertain = true;
    const context = { ...run.context, state, since: Date.now(), signal: run.stopping };
    leftovers.push(...(await removeDuplicatesOf(run, step, context, entry.result as Partial<State>)));
  }
  return { leftovers, isUncertain };
}

async function removeDuplicatesOf<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
  own: Partial<State>,
): Promise<Leftover[]> {
  const leftovers: Leftover[] = [];
  let extra: Partial<State> | null = null;
  try {
    for (extra of (await step.find?.(context)) ?? []) {
      if (isOwn(step, own, extra)) continue;
      run.events?.onDuplicate?.(step.name, step.leftover?.(extra));
      await step.undo?.(context, extra);
    }
  } catch (error) {
    if (run.stopping.aborted) throw new ReleasedError();
    if (!(error instanceof GatewayError)) throw error;
    run.events?.onUndoFailed?.(step.name, error);
    // A look that failed is made again with the job's next look.
    if (extra !== null) leftovers.push(leftoverOf(step, extra, error));
  }
  return leftovers;
}
