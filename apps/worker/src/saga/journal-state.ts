import { RecordGoneError } from '@gateway/jobs';
import type { JournalEntry, JournalState } from './journal.ts';
import type { SagaRun } from './saga.ts';

/** The entry that earlier runs left for a step. A refused step counts as not begun, and begins again. */
export function previousEntry(journal: JournalState, step: string): JournalEntry | undefined {
  const entry = journal.steps.get(step);
  return entry?.phase === 'refused' ? undefined : entry;
}

/** The results of the steps so far: of a key that several return, that of the latest step. */
export function stateOf<Context, State extends object>(
  { steps }: SagaRun<Context, State>,
  journal: JournalState,
): Partial<State> {
  // The entries themselves have no order.
  const inOrder = steps.map(({ name }) => journal.steps.get(name));
  const state: Partial<State> = {};
  for (const entry of [...journal.steps.values(), ...inOrder]) Object.assign(state, entry?.result);
  return state;
}

/** True when nothing of the step exists and nothing can appear later. */
export function isOver({ phase, isUncertain }: JournalEntry): boolean {
  return phase === 'refused' || (phase === 'undone' && isUncertain !== true);
}

/** True if a rollback has anything to remove. Without that it ends at once. */
export function hasToUndo<Context, State extends object>(
  { steps }: SagaRun<Context, State>,
  journal: JournalState,
): boolean {
  return steps.some(({ name, undo }) => {
    const entry = journal.steps.get(name);
    return undo !== undefined && entry !== undefined && !isOver(entry);
  });
}

/** True once a step that `commits` has taken effect: the saga can no longer roll back. */
export function isCommitted<Context, State extends object>(
  { steps }: SagaRun<Context, State>,
  journal: JournalState,
): boolean {
  return steps.some(({ commits, name }) => {
    const phase = journal.steps.get(name)?.phase;
    return commits === true && (phase === 'applied' || phase === 'done');
  });
}

/**
 * True once a step that `commits` has begun and may have taken effect: cancellation is no longer possible.
 */
export function isCommitting<Context, State extends object>(
  { steps }: SagaRun<Context, State>,
  journal: JournalState,
): boolean {
  return steps.some(({ commits, name }) => commits === true && previousEntry(journal, name) !== undefined);
}

/**
 * Awaits a write to the journal; returns true when the store has lost the job and keeps no more of its
 * journal.
 */
export async function isRecordGone(write: Promise<void>): Promise<boolean> {
  try {
    await write;
    return false;
  } catch (error) {
    if (error instanceof RecordGoneError) return true;
    throw error;
  }
}
