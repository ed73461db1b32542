import type { JobFailure, ProgressMessage } from '@gateway/jobs';
import type { ProgressUpdate, Step } from '@gateway/saga';
import { dropLists, type ResourceName } from '@gateway/views';
import type { JobFacts } from './job-run.ts';

/** A saga as a kind of job. */
export interface SagaJob<Context, State extends object> {
  steps: readonly Step<Context, State>[];
  context: Context;
  /** The job's messages; an announcement's own step, progress and text stand in it as they are. */
  message(
    announcement: ProgressUpdate,
    state: Readonly<Partial<State>>,
    failure?: JobFailure,
  ): ProgressMessage;
  completed: ProgressUpdate;
  failed: Pick<ProgressUpdate, 'step' | 'progress'>;
  /** What the job changes in its project. Lists that depend on these resources are dropped before its last message. */
  changes: readonly ResourceName[];
}

export function dropChangedLists<Context, State extends object>(
  { context, projectId }: JobFacts,
  { changes }: SagaJob<Context, State>,
): Promise<void> {
  return dropLists(context.cache, projectId, changes);
}
