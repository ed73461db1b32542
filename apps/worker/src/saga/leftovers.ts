import { GatewayError } from '@gateway/core';
import type { Leftover } from '@gateway/jobs';
import type { JournalState } from './journal.ts';
import { isOver } from './journal-state.ts';
import type { SagaRun } from './saga.ts';
import type { Step } from './step.ts';

/** Describes a resource of a step that could not be removed, with a readable reason. */
export function leftoverOf<Context, State extends object>(
  step: Step<Context, State>,
  result: Partial<State> | null,
  error: unknown,
): Leftover {
  const named = result === null ? undefined : step.leftover?.(result);
  const reason = error instanceof GatewayError ? error.message : 'An internal error occurred.';
  return { type: named?.type ?? step.name, id: named?.id ?? '', reason };
}

/** Steps that a newer worker has begun, and that this one can neither continue nor undo. */
export function unknownSteps<Context, State extends object>(
  { steps }: Pick<SagaRun<Context, State>, 'steps'>,
  journal: JournalState,
): string[] {
  const known = new Set(steps.map(({ name }) => name));
  return [...journal.steps].flatMap(([name, entry]) => (known.has(name) || isOver(entry) ? [] : [name]));
}

/** The worker that knows the step undoes it when it sweeps the job. */
export function unknownLeftover(step: string): Leftover {
  return { type: 'step', id: step, reason: 'Only a newer version of the gateway can undo this step.' };
}
