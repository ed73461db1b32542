import type { ProgressMessage } from './catalog.ts';

/** What an event changes on the job's record beside step, progress and message. */
export interface RecordChanges {
  resourceId?: string;
  /**
   * There is no way back from here: refused when somebody wished to cancel before, who is refused from now on. False
   * when the job turns back all the same, because what it did there did not succeed.
   */
  isBinding?: boolean;
}

export interface JournalWrite {
  field: string;
  value: string;
}

/** Takes entries of a job's journal: its log while it runs, its sweeper's afterwards. */
export interface JournalWriter {
  readonly jobId: string;
  publish(message: ProgressMessage, changes?: RecordChanges, journal?: JournalWrite): Promise<void>;
  record(changes: RecordChanges, journal?: JournalWrite): Promise<void>;
}
