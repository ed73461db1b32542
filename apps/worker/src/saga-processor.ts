import type { CacheKey } from '@gateway/cache';
import {
  CancelRequestedError,
  isCancelRequested,
  type JobFailure,
  type JobType,
  type JournalWriter,
  type ProgressMessage,
  type Sweep,
} from '@gateway/jobs';
import {
  type Announcement,
  CANCELLED,
  RedisJournal,
  type RollBack,
  runSaga,
  type SagaOutcome,
  type SagaRun,
  type Step,
  sweepSaga,
} from '@gateway/saga';
import type { JobFacts, JobRun, Processor } from './job-run.ts';

export interface SagaJob<Context, State extends object> {
  steps: readonly Step<Context, State>[];
  context: Context;
  /** The job's messages; an announcement's own step, progress and text stand in it as they are. */
  message(announcement: Announcement, state: Readonly<Partial<State>>, failure?: JobFailure): ProgressMessage;
  completed: Announcement;
  failed: Pick<Announcement, 'step' | 'progress'>;
  /** The lists that the job changes: dropped before its last message goes out. */
  changes: CacheKey['list'][];
}

const CANCEL_LOOK_MS = 1_000;
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
      await dropLists(facts, saga);
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
    const sagaRun = { ...sagaRunOf(run, saga, run.log, cancelled), givenUp: run.givenUp };
    try {
      await endJob(run, saga, await runSaga(sagaRun));
    } catch (error) {
      if (!(error instanceof CancelRequestedError)) throw error;
      // The wish came when all was done: now all is taken back.
      await endJob(run, saga, await runSaga({ ...sagaRun, cancelled: AbortSignal.abort() }));
    }
  } finally {
    cancel.stop();
  }
}

async function endJob<T extends JobType, Context, State extends object>(
  run: JobRun<T>,
  saga: SagaJob<Context, State>,
  outcome: SagaOutcome<State>,
): Promise<void> {
  const { context, log } = run;
  await dropLists(run, saga);
  const { leftovers, state } = outcome;
  if (outcome.kind === 'completed') {
    const sweep = sweepFor({ leftovers, isUncertain: false }, 0);
    const unlessCancelled = !outcome.isCommitted;
    await log.end(
      saga.message(saga.completed, state),
      { status: 'completed', leftovers },
      { sweep, unlessCancelled },
    );
    return;
  }
  const { failure } = outcome;
  const announcement = { ...saga.failed, message: failure.detail };
  const status = failure.code === CANCELLED ? 'cancelled' : 'failed';
  const lookUntil = Date.now() + context.config.jobs.lookAgainSeconds * 1000;
  await log.end(
    saga.message(announcement, state, failure),
    { status, failure, leftovers },
    { sweep: sweepFor(outcome, lookUntil) },
  );
}

/** What is still to be done after a job's end; null when that is nothing. */
export function sweepFor({ leftovers, isUncertain }: RollBack, lookUntil: number): Sweep | null {
  if (leftovers.length === 0 && !isUncertain) return null;
  return { leftovers: leftovers.length, lookUntil: isUncertain ? lookUntil : 0 };
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
    handedBack: context.stopping.signal,
    retryTimeoutMs: stepRetrySeconds * 1000,
    undoTimeoutMs: undoSeconds * 1000,
    events: {
      onStep: (step, result, durationMs) =>
        context.metrics.stepFinished({ type, step, outcome: result, durationSeconds: durationMs / 1000 }),
      onRetry: (step, error) => logger.warn('A step is tried again', { step, error }),
      onTurnBack: (step, error) => logger.warn('A job turns back', { step, error }),
      onUndoFailed: (step, error) => logger.warn('A step could not be undone yet', { step, error }),
    },
  };
}

function dropLists<Context, State extends object>(
  { context, projectId }: JobFacts,
  { changes }: SagaJob<Context, State>,
): Promise<void> {
  return context.cache.drop(...changes.map((list) => ({ list, projectId })));
}

/** Looks now and then whether somebody asked the job to stop; a look that fails is simply the next one's. */
function watchForCancel({ context, jobId }: JobFacts): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const look = async () => {
    if (await isCancelRequested(context.redis.store, jobId)) controller.abort();
  };
  void look().catch(() => {});
  const timer = setInterval(() => void look().catch(() => {}), CANCEL_LOOK_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
