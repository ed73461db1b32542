import { GatewayError } from '@gateway/core';
import type { Leftover } from '@gateway/jobs';
import type { JournalState } from './journal.ts';
import { mayHaveLateEffects } from './late-calls.ts';
import { leftoverOf } from './leftovers.ts';
import { ReleasedError, type RollbackResult, type SagaRun } from './saga.ts';
import { isOwn, type Step, type StepContext } from './step.ts';

/**
 * Removes resources with the job's mark that are not its results: a late call made them after another call
 * had made the same. Searches only for steps with a call whose effect is unknown, once every step is done.
 * Returns what could not be removed; the sweeper tries again.
 */
export async function removeDuplicates<Context, State extends object>(
  run: SagaRun<Context, State>,
  journal: JournalState,
  state: Partial<State>,
): Promise<RollbackResult> {
  const leftovers: Leftover[] = [];
  let isUncertain = false;
  let hasFailedSearch = false;
  let needsOwner = false;
  for (const step of [...run.steps].reverse()) {
    const entry = journal.steps.get(step.name);
    if (entry?.result === undefined || !mayHaveLateEffects(step, entry)) continue;
    if (step.find === undefined || step.undo === undefined) continue;
    isUncertain = true;
    needsOwner ||= step.sweepsAsOwner === true;
    const context = { ...run.context, state, since: Date.now(), lateUntil: 0, signal: run.stopping };
    const left = await removeDuplicatesOf(run, step, context, entry.result as Partial<State>);
    if (left === 'unknown') hasFailedSearch = true;
    else leftovers.push(...left);
  }
  return {
    leftovers,
    isUncertain,
    ...(hasFailedSearch && { hasFailedSearch }),
    ...(needsOwner && { needsOwner }),
  };
}

async function removeDuplicatesOf<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
  own: Partial<State>,
): Promise<Leftover[] | 'unknown'> {
  const leftovers: Leftover[] = [];
  let duplicate: Partial<State> | null = null;
  try {
    for (duplicate of (await step.find?.(context)) ?? []) {
      if (isOwn(step, own, duplicate)) continue;
      run.events?.onDuplicate?.(step.name, step.leftover?.(duplicate));
      await step.undo?.(context, duplicate);
    }
  } catch (error) {
    if (run.stopping.aborted) throw new ReleasedError();
    if (!(error instanceof GatewayError)) throw error;
    run.events?.onUndoFailed?.(step.name, error);
    // A failed search is repeated by the sweeper.
    if (duplicate === null) return 'unknown';
    leftovers.push(leftoverOf(step, duplicate, error));
  }
  return leftovers;
}
