import {
  type JobFailure,
  type JournalWriter,
  jobKeys,
  type ProgressMessage,
  type RecordChanges,
} from '@gateway/jobs';
import type { Redis } from '@gateway/redis';

/**
 * How far a step has come. `begun` is written before it acts, `refused` when it was told that it had no effect,
 * `made` right after it took effect, `done` once it has settled, `undone` when it was taken back. `orphaned` means
 * that the run which began the step has died: its call may still take effect, and no other call has been sent since.
 */
export interface JournalEntry {
  phase: 'begun' | 'orphaned' | 'refused' | 'made' | 'done' | 'undone';
  /** When the step began or, from `made` on, when it had acted, in milliseconds since the epoch. */
  at?: number;
  result?: object;
  /** While `orphaned`: until when the dead run's call may take effect, in milliseconds since the epoch. */
  lateUntil?: number;
  /** A call of this step may have taken effect, or may still do so, without its sender having heard of it. */
  isUncertain?: boolean;
  /** When the step's undo began, in milliseconds since the epoch: its time limit counts from then. */
  undoingSince?: number;
}

/** What a run left behind for the next one. */
export interface JournalState {
  steps: Map<string, JournalEntry>;
  /** Set once the saga has turned back: from then on it only undoes. */
  rollbackReason: JobFailure | null;
  /** Set when the store has lost the job: what is not taken back by this run is never taken back. */
  isLost?: boolean;
}

export interface Journal {
  load(): Promise<JournalState>;
  /** `changes` go on the job's record, with or without a message to the streams. */
  write(step: string, entry: JournalEntry, news?: News, changes?: RecordChanges): Promise<void>;
  startRollback(failure: JobFailure): Promise<void>;
}

/** A progress message that goes out together with a journal entry, or not at all. */
export interface News {
  message: ProgressMessage;
  changes?: RecordChanges;
}

const TURNED_BACK = '(turned back)';

/** The journal of a job, kept beside its log and written in the same script. */
export class RedisJournal implements Journal {
  readonly #redis: Redis;
  readonly #writer: JournalWriter;

  constructor(redis: Redis, writer: JournalWriter) {
    this.#redis = redis;
    this.#writer = writer;
  }

  async load(): Promise<JournalState> {
    const hash = await this.#redis.hgetall(jobKeys.journal(this.#writer.jobId));
    const { [TURNED_BACK]: turnedBack, ...steps } = hash;
    return {
      steps: new Map(Object.entries(steps).map(([step, entry]) => [step, JSON.parse(entry) as JournalEntry])),
      rollbackReason: turnedBack === undefined ? null : (JSON.parse(turnedBack) as JobFailure),
    };
  }

  write(step: string, entry: JournalEntry, news?: News, changes: RecordChanges = {}): Promise<void> {
    const journal = { field: step, value: JSON.stringify(entry) };
    return news === undefined
      ? this.#writer.record(changes, journal)
      : this.#writer.publish(news.message, { ...changes, ...news.changes }, journal);
  }

  startRollback(failure: JobFailure): Promise<void> {
    return this.#writer.record({ isBinding: false }, { field: TURNED_BACK, value: JSON.stringify(failure) });
  }
}
