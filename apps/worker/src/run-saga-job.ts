import type { CacheKey } from '@gateway/cache';
import {
  isCancelRequested,
  type JobFailure,
  type JobType,
  type Leftover,
  type ProgressMessage,
} from '@gateway/jobs';
import { type Announcement, CANCELLED, RedisJournal, runSaga, type Step } from '@gateway/saga';
import type { JobRun } from './job-run.ts';

export interface SagaJob<Context, State extends object> {
  steps: readonly Step<Context, State>[];
  context: Context;
  /** The job's messages; an announcement's own step, progress and text stand in it as they are. */
  message(announcement: Announcement, state: Readonly<Partial<State>>, failure?: JobFailure): ProgressMessage;
  completed: Announcement;
  failed: Pick<Announcement, 'step' | 'progress'>;
  /** What a job that came to its end could all the same not do. */
  leftovers?(state: Readonly<Partial<State>>): Leftover[];
  /** The lists that the job changes: dropped before its last message goes out. */
  changes: CacheKey['list'][];
}

const CANCEL_LOOK_MS = 1_000;

/** Runs a saga as a job: its steps become progress messages, its end the job's last message. */
export async function runSagaJob<T extends JobType, Context, State extends object>(
  run: JobRun<T>,
  saga: SagaJob<Context, State>,
): Promise<void> {
  const { context, log, logger, projectId, type } = run;
  const journal = new RedisJournal(context.redis.store, log);
  const cancel = watchForCancel(run);
  try {
    const outcome = await runSaga({
      steps: saga.steps,
      context: saga.context,
      journal,
      news: (announcement, state) => ({ message: saga.message(announcement, state) }),
      cancelled: cancel.signal,
      handedBack: context.stopping.signal,
      undoTimeoutMs: context.config.timeLimits.undoSeconds * 1000,
      events: {
        onStep: (step, result, durationMs) =>
          context.metrics.stepFinished({ type, step, outcome: result, durationSeconds: durationMs / 1000 }),
        onTurnBack: (step, error) => logger.warn('A job turns back', { step, error }),
        onUndoFailed: (step, error) => logger.warn('A step could not be undone yet', { step, error }),
      },
    });
    await context.cache.drop(...saga.changes.map((list) => ({ list, projectId })));
    if (outcome.kind === 'completed') {
      const leftovers = saga.leftovers?.(outcome.state) ?? [];
      await log.append(saga.message(saga.completed, outcome.state), { status: 'completed', leftovers });
      return;
    }
    const { failure, leftovers, state } = outcome;
    const announcement = { ...saga.failed, message: failure.detail };
    await log.append(saga.message(announcement, state, failure), {
      status: failure.code === CANCELLED ? 'cancelled' : 'failed',
      failure,
      leftovers,
    });
  } finally {
    cancel.stop();
  }
}

/** Looks now and then whether somebody asked the job to stop; a look that fails is simply the next one's. */
function watchForCancel({ context, jobId }: JobRun): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const look = async () => {
    if (await isCancelRequested(context.redis.store, jobId)) controller.abort();
  };
  void look().catch(() => {});
  const timer = setInterval(() => void look().catch(() => {}), CANCEL_LOOK_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
