import type { JobRecord, JobType, ProgressLog, SweepLog } from '@gateway/jobs';
import type { RollbackResult } from '../saga/index.ts';
import type { JobContext } from './job-context.ts';

/** One run of one job. */
export interface JobRun<T extends JobType = JobType> extends JobContext<T> {
  readonly log: ProgressLog;
  /** Why the job must roll back whatever its progress; null when it must not. */
  readonly abortReason: JobRecord['abortReason'];
  /** What an earlier run has done may be unknown to the store, which may have been set back. */
  readonly mayBeBehind: boolean;
}

/** Runs the jobs of one type. */
export interface Processor<T extends JobType> {
  /** Runs a job up to its last event. Called again for the same job after an interruption. */
  run(run: JobRun<T>): Promise<void>;
  /** Tries once more to remove the leftovers of an ended job; returns what remains. */
  sweep?(job: JobContext<T>, log: SweepLog): Promise<RollbackResult>;
}
