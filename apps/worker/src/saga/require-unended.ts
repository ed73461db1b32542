import { GatewayError } from '@gateway/core';
import { EndedBeforeError, type SagaRun } from './saga.ts';
import type { StepContext } from './step.ts';

/**
 * For a run whose journal may be behind the cloud.
 *
 * @throws EndedBeforeError if the job is known to have ended before, or a step that commits it has taken
 *   effect
 */
export async function requireUnended<Context, State extends object>(
  run: SagaRun<Context, State>,
  context: StepContext<Context, State>,
): Promise<void> {
  if (!run.mayBeBehind) return;
  if ((await hasCommitted(run, context)) || (await run.hasEndedBefore?.())) throw new EndedBeforeError();
}

async function hasCommitted<Context, State extends object>(
  { steps }: SagaRun<Context, State>,
  context: StepContext<Context, State>,
): Promise<boolean> {
  for (const { commits, find } of steps) {
    if (commits !== true || find === undefined) continue;
    try {
      if ((await find(context)).length > 0) return true;
    } catch (error) {
      // Without the results of the steps before it, the step has not taken effect.
      if (error instanceof GatewayError) throw error;
    }
  }
  return false;
}
