import type { JobType, Sweep } from '@gateway/jobs';
import { CANCELLED, type RollbackResult, type SagaOutcome } from '@gateway/saga';
import type { JobRun } from './job-run.ts';
import { dropChangedLists, type SagaJob } from './saga-job.ts';

/** Writes the job's last message, and what is still to be done after it. */
export async function endSagaJob<T extends JobType, Context, State extends object>(
  run: JobRun<T>,
  saga: SagaJob<Context, State>,
  outcome: SagaOutcome<State>,
): Promise<void> {
  const { context, log } = run;
  await dropChangedLists(run, saga);
  const { leftovers, state } = outcome;
  const lookUntil = Date.now() + context.config.jobs.recheckSeconds * 1000;
  const sweep = sweepFor(outcome, lookUntil);
  if (outcome.kind === 'completed') {
    const failIfCancelRequested = !outcome.isCommitted;
    await log.end(
      saga.message(saga.completed, state),
      { status: 'completed', leftovers },
      { sweep, failIfCancelRequested },
    );
    return;
  }
  const { failure } = outcome;
  const announcement = { ...saga.failed, message: failure.detail };
  const status = failure.code === CANCELLED ? 'cancelled' : 'failed';
  await log.end(saga.message(announcement, state, failure), { status, failure, leftovers }, { sweep });
}

/** What is still to be done after a job's end; null when that is nothing. */
export function sweepFor({ leftovers, isUncertain }: RollbackResult, lookUntil: number): Sweep | null {
  if (leftovers.length === 0 && !isUncertain) return null;
  return { leftovers: leftovers.length, lookUntil: isUncertain ? lookUntil : 0 };
}
