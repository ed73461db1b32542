import { type Effect, resourcesOf, updated, type WrittenResource } from '@gateway/activity';
import { isWatched, type ResourceName } from '@gateway/core';
import { type JobFailure, type ProgressMessage, readResourceId } from '@gateway/jobs';
import type { ProgressUpdate, Step } from '../saga/index.ts';
import type { JobContext } from './job-context.ts';

/** A saga with the parts that a job needs to run it. */
export interface SagaJob<Context, State extends object> {
  steps: readonly Step<Context, State>[];
  context: Context;
  /** Creates the job's message for an update; keeps the update's step, progress and text. */
  message(update: ProgressUpdate, state: Readonly<Partial<State>>, failure?: JobFailure): ProgressMessage;
  /** The text of the last message if the job completes. */
  completed: string | ((state: Readonly<Partial<State>>) => string);
  /**
   * What the job writes in its project. The readers of writes (`packages/activity`) learn of it before its
   * last message.
   */
  writes: Effect | readonly Effect[];
  /** Whether the job has found nothing to do, so that no list has changed. */
  hasChangedNothing?(state: Readonly<Partial<State>>): boolean;
  /** Another project in which the job changes these resources; null for none. */
  alsoWrites?(): Promise<WritesElsewhere | null>;
  /** What a job that completes could not do, for people; null for nothing. */
  problem?(state: Readonly<Partial<State>>): string | null;
  /**
   * Called before the last message; called again if the message is not written. `failure` is null when the
   * job completes.
   */
  recordOutcome?(failure: JobFailure | null, state: Readonly<Partial<State>>): Promise<void>;
}

export interface WritesElsewhere {
  projectId: string;
  resources: readonly ResourceName[];
}

/**
 * Informs the readers of what the job has written. If the other project is unknown because of an error, its
 * lists expire by themselves.
 */
export async function reportWrites<Context, State extends object>(
  { jobId, logger, projectId, worker }: JobContext,
  { writes, alsoWrites }: SagaJob<Context, State>,
): Promise<void> {
  const id = await readResourceId(worker.redis.store, jobId);
  const report = (project: string, resources: readonly WrittenResource[]) =>
    worker.activity.written({ projectIds: [project], resources, userId: null, jobId }, logger);
  const written = [writes]
    .flat()
    .flatMap(({ as, resource, touches = [] }): WrittenResource[] => [
      { ...updated(resource, id), as },
      ...touches.map((touched) => updated(touched)),
    ]);
  await report(projectId, written);
  const other = await alsoWrites?.().catch((error: unknown) => {
    logger.warn('The lists of another project are not dropped', { error });
    return null;
  });
  if (other)
    await report(
      other.projectId,
      other.resources.map((resource) => updated(resource, id)),
    );
}

/** Shows in the lists what the job has created, long before its end. */
export async function showResource<Context, State extends object>(
  job: JobContext,
  saga: SagaJob<Context, State>,
): Promise<void> {
  try {
    await reportWrites(job, saga);
  } catch (error) {
    job.logger.warn('Lists do not show a new resource yet', { error });
  }
}

/** Informs listeners of the project that the job is changing these resources. */
export async function showStep<Context, State extends object>(
  { worker, jobId, logger, projectId }: JobContext,
  { writes }: SagaJob<Context, State>,
): Promise<void> {
  try {
    const id = await readResourceId(worker.redis.store, jobId);
    const watched = resourcesOf([writes].flat()).filter(isWatched);
    const changes = watched.map((type) => ({ kind: 'changing' as const, type, id }));
    await worker.changes.report({ projectId, changes, jobId });
  } catch (error) {
    logger.warn('Listeners do not learn of a change', { error });
  }
}
