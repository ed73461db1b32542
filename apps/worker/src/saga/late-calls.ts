import { isTransient } from '@gateway/openstack';
import type { JournalEntry, JournalState } from './journal.ts';
import { isRecordGone } from './journal-state.ts';
import { findCreated } from './run-with-retries.ts';
import { ParkedError, type SagaRun } from './saga.ts';
import type { Step, StepContext } from './step.ts';

/** Pauses between two checks for the result of a late call. */
export const FIRST_RECHECK_MS = 500;
const MAX_RECHECK_MS = 10_000;

/**
 * Returns what the call of a dead run has made; null when the call can no longer take effect. A service may
 * still carry out a call after its sender died. Until `lateUntil` the job is parked between checks, and no
 * second call is sent. See decision 3.
 */
export async function adoptLateResult<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
  { previous, record }: { previous: JournalEntry; record(entry: JournalEntry): Promise<void> },
): Promise<Partial<State> | null> {
  const { at, lateUntil = Date.now() + run.lateCallMs } = previous;
  if (previous.phase !== 'orphaned') await record({ phase: 'orphaned', at, lateUntil, isUncertain: true });
  const checkedAt = Date.now();
  const found = await findCreated(step, context).catch((error: unknown) => {
    run.events?.onRetry?.(step.name, error);
    if (isTransient(error) && checkedAt < lateUntil + run.retryTimeoutMs)
      throw new ParkedError(FIRST_RECHECK_MS);
    throw error;
  });
  if (found !== null || checkedAt >= lateUntil) return found;
  const waitedMs = checkedAt - (lateUntil - run.lateCallMs);
  throw new ParkedError(Math.min(recheckPauseMs(waitedMs), lateUntil - checkedAt));
}

/** The pause before the next check of a job that has waited for this long. */
export function recheckPauseMs(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 2, FIRST_RECHECK_MS), MAX_RECHECK_MS);
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
