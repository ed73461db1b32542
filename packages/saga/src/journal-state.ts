import { RecordGoneError } from '@gateway/jobs';
import type { JournalEntry, JournalState } from './journal.ts';
import type { SagaRun } from './saga.ts';
import type { Step } from './step.ts';

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

/** The steps that an earlier run has begun, and may have sent a call of. */
export function begunSteps({ steps }: JournalState): string[] {
  return [...steps].filter(([, { phase }]) => phase === 'begun').map(([name]) => name);
}

/** Notes that the calls of these steps may still take effect, if no later run has continued the steps. */
export async function suspectCalls<Context, State extends object>(
  { journal }: SagaRun<Context, State>,
  { steps }: JournalState,
  interrupted: readonly string[],
): Promise<void> {
  for (const name of interrupted) {
    const entry = steps.get(name);
    if (entry?.phase !== 'begun' || entry.isUncertain) continue;
    const suspected: JournalEntry = { ...entry, isUncertain: true };
    steps.set(name, suspected);
    await isRecordGone(journal.write(name, suspected));
  }
}

/**
 * Until when calls of the steps may still take effect although their senders got no response, in milliseconds
 * since the epoch; 0 when there is no such call. The sweeps search for those of a step that was undone.
 */
export function endOfLateCalls<Context, State extends object>(
  { lateCallMs }: SagaRun<Context, State>,
  { steps }: JournalState,
): number {
  const uncertain = [...steps.values()].filter(
    ({ isUncertain, phase }) => isUncertain === true && phase !== 'undone',
  );
  return Math.max(0, ...uncertain.map(({ at = 0, lateUntil = at + lateCallMs }) => lateUntil));
}

/** True when a request of the step may still take effect. */
export function mayHaveLateEffects<Context, State extends object>(
  step: Step<Context, State>,
  { isUncertain, result }: JournalEntry,
): boolean {
  return (
    isUncertain === true || (result !== undefined && step.isUncertain?.(result as Partial<State>) === true)
  );
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
