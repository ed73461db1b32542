import { CancelRequestedError, type JobType, type JournalWriter } from '@gateway/jobs';
import { RedisJournal, runSaga, type SagaRun, sweepSaga } from '../saga/index.ts';
import { endSagaJob } from './end-saga-job.ts';
import { hasEndedBefore } from './has-ended-before.ts';
import type { JobContext } from './job-context.ts';
import type { JobRun, Processor } from './processor.ts';
import { reportWrites, type SagaJob, showResource, showStep } from './saga-job.ts';
import { traceStep } from './trace-job.ts';
import { watchForCancel } from './watch-for-cancel.ts';

/**
 * Creates a processor that runs a saga. Its steps publish progress, and its result is the job's last event.
 */
export function sagaProcessor<T extends JobType, Context, State extends object>(
  toSaga: (job: JobContext<T>) => SagaJob<Context, State>,
): Processor<T> {
  return {
    run: (run) => runSagaJob(run, toSaga),
    async sweep(job, log) {
      const saga = toSaga(job);
      const outcome = await sweepSaga(sagaRunOf(job, saga, log, new AbortController().signal));
      await reportWrites(job, saga);
      return outcome;
    },
  };
}

/** A run whose job is to be held stops as if its process stopped. No run follows until the release. */
function stoppingWhenHeld<T extends JobType>(run: JobRun<T>, held: AbortSignal): JobRun<T> {
  const { stopping } = run.worker;
  const signal = AbortSignal.any([stopping.signal, held, run.log.held]);
  const eitherStops = { signal, abort: () => stopping.abort() };
  return { ...run, worker: { ...run.worker, stopping: eitherStops } };
}

async function runSagaJob<T extends JobType, Context, State extends object>(
  begun: JobRun<T>,
  toSaga: (job: JobContext<T>) => SagaJob<Context, State>,
): Promise<void> {
  const cancel = watchForCancel(begun);
  try {
    const run = stoppingWhenHeld(begun, cancel.held);
    const saga = toSaga(run);
    const cancelled = AbortSignal.any([cancel.signal, run.log.cancelled]);
    const sagaRun: SagaRun<Context, State> = {
      ...sagaRunOf(run, saga, run.log, cancelled),
      abortReason: run.abortReason,
      mayBeBehind: run.mayBeBehind,
      hasEndedBefore: once(() => hasEndedBefore(run)),
    };
    try {
      await endSagaJob(run, saga, await runSaga(sagaRun));
    } catch (error) {
      if (!(error instanceof CancelRequestedError)) throw error;
      // The cancellation was requested after the last step: roll back.
      await endSagaJob(run, saga, await runSaga({ ...sagaRun, cancelled: AbortSignal.abort() }));
    }
  } finally {
    cancel.stop();
  }
}

function sagaRunOf<T extends JobType, Context, State extends object>(
  job: JobContext<T>,
  saga: SagaJob<Context, State>,
  writer: JournalWriter,
  cancelled: AbortSignal,
): SagaRun<Context, State> {
  const { worker, jobId, logger, type } = job;
  const { stepRetrySeconds, undoSeconds } = worker.config.timeLimits;
  return {
    steps: saga.steps,
    context: saga.context,
    journal: new RedisJournal(worker.redis.store, writer),
    toMessage: (update, state) => saga.message(update, state),
    cancelled,
    stopping: worker.stopping.signal,
    retryTimeoutMs: stepRetrySeconds * 1000,
    undoTimeoutMs: undoSeconds * 1000,
    lateCallMs: worker.config.jobs.lateCallSeconds * 1000,
    traceStep: traceStep(worker.tracing, jobId),
    events: {
      onStep(step, result, durationMs) {
        worker.metrics.stepFinished({ type, step, outcome: result, durationSeconds: durationMs / 1000 });
        void showStep(job, saga);
      },
      onResource: () => void showResource(job, saga),
      onRetry: (step, error) => logger.warn('Step is retried', { step, error }),
      onRollBack: (step, error) => logger.warn('Job rolls back', { step, error }),
      onDuplicate: (step, extra) =>
        logger.warn('A resource that a late call created is removed', { step, ...extra }),
      onUndoFailed: (step, error) => logger.warn('Step could not be undone yet', { step, error }),
    },
  };
}

function once<Result>(action: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= action();
    return result;
  };
}
