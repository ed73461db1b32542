import { type JobType, lastStep, type Sweep } from '@gateway/jobs';
import { CANCELLED, type RollbackResult, type SagaOutcome } from '../saga/index.ts';
import type { JobRun } from './processor.ts';
import { reportWrites, type SagaJob } from './saga-job.ts';

/** Publishes the job's last event and records what to sweep after it. */
export async function endSagaJob<T extends JobType, Context, State extends object>(
  run: JobRun<T>,
  saga: SagaJob<Context, State>,
  outcome: SagaOutcome<State>,
): Promise<void> {
  const { worker, log } = run;
  const { leftovers, state } = outcome;
  await saga.recordOutcome?.(outcome.kind === 'failed' ? outcome.failure : null, state);
  if (!saga.hasChangedNothing?.(state)) await reportWrites(run, saga);
  const searchUntil = Date.now() + worker.config.jobs.recheckSeconds * 1000;
  const sweep = sweepFor(outcome, searchUntil);
  if (outcome.kind === 'completed') {
    const failIfCancelRequested = !outcome.isCommitted;
    const message = typeof saga.completed === 'function' ? saga.completed(state) : saga.completed;
    const update = { ...lastStep(run.type, 'COMPLETED'), message };
    await log.end(
      saga.message(update, state),
      { status: 'completed', leftovers, problem: saga.problem?.(state) },
      { sweep, failIfCancelRequested },
    );
    return;
  }
  const { failure } = outcome;
  const update = { ...lastStep(run.type, 'FAILED'), message: failure.detail };
  const status = failure.code === CANCELLED ? 'cancelled' : 'failed';
  await log.end(saga.message(update, state, failure), { status, failure, leftovers }, { sweep });
}

/** What to sweep after a job's end; null for nothing. */
export function sweepFor(
  { leftovers, isUncertain, needsOwner }: RollbackResult,
  searchUntil: number,
): Sweep | null {
  if (leftovers.length === 0 && !isUncertain) return null;
  const { length } = leftovers;
  return { leftovers: length, searchUntil: isUncertain ? searchUntil : 0, ...(needsOwner && { needsOwner }) };
}
