import type { CacheKey } from '@gateway/cache';
import type { JobFailure, ProgressMessage } from '@gateway/jobs';
import type { ProgressUpdate, Step } from '@gateway/saga';
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
  /** The lists that the job changes: dropped before its last message goes out. */
  changes: CacheKey['list'][];
}

export function dropLists<Context, State extends object>(
  { context, projectId }: JobFacts,
  { changes }: SagaJob<Context, State>,
): Promise<void> {
  return context.cache.drop(...changes.map((list) => ({ list, projectId })));
}
