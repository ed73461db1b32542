import type { ProgressMessage } from '../catalog/progress-message.ts';
import type { JobFailure } from './job-failure.ts';

/** Changes to the job's record besides step, progress and message. */
export interface RecordChanges {
  resourceId?: string;
  /** Set when the saga begins to roll back. */
  isRollingBack?: true;
  /** Why the job fails, from when it begins to roll back. */
  failure?: JobFailure;
  /**
   * True when the saga begins to commit: the write is refused if cancellation was requested before, and
   * cancellation is refused afterwards. False when the saga rolls back because the committing step failed.
   */
  isCommitting?: boolean;
}

export interface JournalWrite {
  field: string;
  value: string;
  /** The job has come further than before: a later run need not repeat this. */
  isProgress?: boolean;
}

/** Writes a job's journal: `ProgressLog` while the job runs, `SweepLog` afterwards. */
export interface JournalWriter {
  readonly jobId: string;
  publish(message: ProgressMessage, changes?: RecordChanges, journal?: JournalWrite): Promise<void>;
  /** Publishes the last message again, with another text; publishes nothing before the first message. */
  announce(text: string, changes: RecordChanges, journal?: JournalWrite): Promise<void>;
  record(changes: RecordChanges, journal?: JournalWrite): Promise<void>;
}
