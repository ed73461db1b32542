import { CancelRequestedError, type JobType, type JournalWriter } from '@gateway/jobs';
import { RedisJournal, runSaga, type SagaRun, sweepSaga } from '@gateway/saga';
import { endSagaJob } from './end-saga-job.ts';
import type { JobFacts, JobRun, Processor } from './job-run.ts';
import { dropChangedLists, type SagaJob } from './saga-job.ts';
import { watchForCancel } from './watch-for-cancel.ts';

const SWEEP_WAIT_SECONDS = 30;

/** Runs a saga as a job: its steps become progress messages, its end the job's last message. */
export function sagaProcessor<T extends JobType, Context, State extends object>(
  toSaga: (facts: JobFacts<T>) => SagaJob<Context, State>,
): Processor<T> {
  return {
    run: (run) => runSagaJob(run, toSaga(run)),
    async sweep(facts, log) {
      const saga = toSaga(withShortWaits(facts));
      const outcome = await sweepSaga(sagaRunOf(facts, saga, log, new AbortController().signal));
      await dropChangedLists(facts, saga);
      return outcome;
    },
  };
}

/** One thing that does not go does not keep the sweeper from the others. */
function withShortWaits<T extends JobType>(facts: JobFacts<T>): JobFacts<T> {
  const { config } = facts.context;
  const timeLimits = Object.fromEntries(
    Object.entries(config.timeLimits).map(([name, seconds]) => [name, Math.min(seconds, SWEEP_WAIT_SECONDS)]),
  ) as unknown as typeof config.timeLimits;
  return { ...facts, context: { ...facts.context, config: { ...config, timeLimits } } };
}

async function runSagaJob<T extends JobType, Context, State extends object>(
  run: JobRun<T>,
  saga: SagaJob<Context, State>,
): Promise<void> {
  const cancel = watchForCancel(run);
  try {
    const cancelled = AbortSignal.any([cancel.signal, run.log.cancelled]);
    const sagaRun = { ...sagaRunOf(run, saga, run.log, cancelled), abortReason: run.abortReason };
    try {
      await endSagaJob(run, saga, await runSaga(sagaRun));
    } catch (error) {
      if (!(error instanceof CancelRequestedError)) throw error;
      // The wish came when all was done: now all is taken back.
      await endSagaJob(run, saga, await runSaga({ ...sagaRun, cancelled: AbortSignal.abort() }));
    }
  } finally {
    cancel.stop();
  }
}

function sagaRunOf<T extends JobType, Context, State extends object>(
  { context, logger, type }: JobFacts<T>,
  saga: SagaJob<Context, State>,
  writer: JournalWriter,
  cancelled: AbortSignal,
): SagaRun<Context, State> {
  const { stepRetrySeconds, undoSeconds } = context.config.timeLimits;
  return {
    steps: saga.steps,
    context: saga.context,
    journal: new RedisJournal(context.redis.store, writer),
    news: (announcement, state) => ({ message: saga.message(announcement, state) }),
    cancelled,
    stopping: context.stopping.signal,
    retryTimeoutMs: stepRetrySeconds * 1000,
    undoTimeoutMs: undoSeconds * 1000,
    lateCallMs: context.config.jobs.lateCallSeconds * 1000,
    events: {
      onStep: (step, result, durationMs) =>
        context.metrics.stepFinished({ type, step, outcome: result, durationSeconds: durationMs / 1000 }),
      onRetry: (step, error) => logger.warn('A step is tried again', { step, error }),
      onRollBack: (step, error) => logger.warn('A job turns back', { step, error }),
      onDuplicate: (step, extra) => logger.warn('What a late call has made is removed', { step, ...extra }),
      onUndoFailed: (step, error) => logger.warn('A step could not be undone yet', { step, error }),
    },
  };
}
