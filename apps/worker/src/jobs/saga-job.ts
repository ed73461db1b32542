import { isWatched, type ResourceName } from '@gateway/core';
import { type JobFailure, type ProgressMessage, readResourceId } from '@gateway/jobs';
import { dropLists } from '@gateway/resources';
import type { ProgressUpdate, Step } from '../saga/index.ts';
import type { JobContext } from './job-context.ts';

/** A saga with the parts that a job needs to run it. */
export interface SagaJob<Context, State extends object> {
  steps: readonly Step<Context, State>[];
  context: Context;
  /** Creates the job's message for an update; keeps the update's step, progress and text. */
  message(update: ProgressUpdate, state: Readonly<Partial<State>>, failure?: JobFailure): ProgressMessage;
  completed: ProgressUpdate | ((state: Readonly<Partial<State>>) => ProgressUpdate);
  failed: Pick<ProgressUpdate, 'step' | 'progress'>;
  /**
   * The resources that the job changes in its project. Lists that depend on these resources are dropped
   * before its last message.
   */
  changes: readonly ResourceName[];
  /** Whether the job has found nothing to do, so that no list has changed. */
  hasChangedNothing?(state: Readonly<Partial<State>>): boolean;
  /** Another project in which the job changes these resources; null for none. */
  alsoChanges?(): Promise<ProjectChanges | null>;
  /**
   * Called before the last message; called again if the message is not written. `failure` is null when the
   * job completes.
   */
  recordOutcome?(failure: JobFailure | null, state: Readonly<Partial<State>>): Promise<void>;
}

export interface ProjectChanges {
  projectId: string;
  changes: readonly ResourceName[];
}

/**
 * Drops the lists that the job has changed, and informs listeners. If the other project is unknown because of
 * an error, its lists expire by themselves.
 */
export async function reportJobChanges<Context, State extends object>(
  job: JobContext,
  { changes, alsoChanges }: SagaJob<Context, State>,
): Promise<void> {
  const { worker, projectId, logger } = job;
  await dropProjectLists(worker, projectId, changes);
  await informListeners(job, 'touched', projectId, changes);
  const other = await alsoChanges?.().catch((error: unknown) => {
    logger.warn('The lists of another project are not dropped', { error });
    return null;
  });
  if (!other) return;
  await dropProjectLists(worker, other.projectId, other.changes);
  await informListeners(job, 'touched', other.projectId, other.changes);
}

/** Informs listeners of the project that the job may have changed these resources, or is changing them. */
export async function informListeners(
  { worker, jobId, logger }: JobContext,
  kind: 'changing' | 'touched',
  projectId: string,
  changed: readonly ResourceName[],
): Promise<void> {
  try {
    const id = await readResourceId(worker.redis.store, jobId);
    const changes = changed.filter(isWatched).map((type) => ({ kind, type, id }));
    await worker.changes.report({ projectId, changes, jobId });
  } catch (error) {
    logger.warn('Listeners do not learn of a change', { error });
  }
}

async function dropProjectLists(
  { autoBackups, cache }: JobContext['worker'],
  projectId: string,
  changes: readonly ResourceName[],
): Promise<void> {
  await dropLists(cache, projectId, changes);
  // One of the deleted volumes may have had an auto backup.
  if (changes.includes('volume')) await autoBackups.store.requestVolumeCheck(projectId);
}
