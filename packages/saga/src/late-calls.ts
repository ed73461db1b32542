import { isTransient } from '@gateway/openstack';
import type { JournalEntry } from './journal.ts';
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
  const pauseMs = Math.min(Math.max(waitedMs / 2, FIRST_RECHECK_MS), MAX_RECHECK_MS);
  throw new ParkedError(Math.min(pauseMs, lateUntil - checkedAt));
}
