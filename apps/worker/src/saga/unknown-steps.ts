import type { Leftover } from '@gateway/jobs';
import type { JournalState } from './journal.ts';
import { isOver } from './journal-state.ts';
import type { SagaRun } from './saga.ts';

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
