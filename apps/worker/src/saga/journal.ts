import { formatStored, parseStored, storedForms } from '@gateway/core';
import {
  type JobFailure,
  type JournalWriter,
  jobKeys,
  type ProgressMessage,
  type RecordChanges,
  undoingMessage,
} from '@gateway/jobs';
import { type Redis, readStoreTime } from '@gateway/store';

/**
 * The progress of a step. `begun` is written before its call, `refused` when the service refused the call,
 * `applied` when the call has taken effect, `done` when the step has settled as well, `undone` when it was
 * rolled back. `orphaned` means that the run which began the step has died: its call may still take effect,
 * and no other call has been sent since.
 */
export interface JournalEntry {
  phase: 'begun' | 'orphaned' | 'refused' | 'applied' | 'done' | 'undone';
  /**
   * When the step began or, from `applied` on, when its call took effect, in milliseconds since the epoch.
   */
  at?: number;
  result?: object;
  /**
   * Until when the call of a run that has died may still take effect, in milliseconds since the epoch. Absent
   * if every call has been sent by a run that lives.
   */
  lateUntil?: number;
  /** A call of this step may have taken effect, or may still do so, although its sender got no response. */
  isUncertain?: boolean;
  /** What was published last while a service is unavailable. */
  unavailableMessage?: string;
  /** When the undo of the step began, in milliseconds since the epoch. Its time limit counts from then. */
  undoingSince?: number;
}

/** What earlier runs recorded. */
export interface JournalState {
  steps: Map<string, JournalEntry>;
  /** Set once the saga rolls back; later runs only undo. */
  rollbackReason: JobFailure | null;
  /** Set when the store has lost the job: only this run can still roll it back. */
  isLost?: boolean;
}

export interface Journal {
  load(): Promise<JournalState>;
  /** Records an entry, publishes a progress message and changes the job's record, all or nothing. */
  write(step: string, entry: JournalEntry, message?: ProgressMessage, changes?: RecordChanges): Promise<void>;
  /** With `isAnnounced`, listeners learn that what the job has done is being undone, and why. */
  startRollback(failure: JobFailure, isAnnounced?: boolean): Promise<void>;
  /** By the clock of the store, in milliseconds since the epoch. */
  storeTime(): Promise<number>;
}

/** The only field that is not a step. Journals in Redis contain it: do not rename it. */
const ROLLBACK_FIELD = '(rollback)';

/** How far a step has come with each phase. */
const RANKS: Record<JournalEntry['phase'], number> = {
  begun: 0,
  orphaned: 0,
  refused: 0,
  applied: 1,
  done: 2,
  undone: 3,
};

/** The journal of a job in Redis, written by the same script as the job's log. */
export class RedisJournal implements Journal {
  readonly #redis: Redis;
  readonly #writer: JournalWriter;
  readonly #phases = new Map<string, JournalEntry['phase']>();

  constructor(redis: Redis, writer: JournalWriter) {
    this.#redis = redis;
    this.#writer = writer;
  }

  storeTime(): Promise<number> {
    return readStoreTime(this.#redis);
  }

  async load(): Promise<JournalState> {
    const hash = await this.#redis.hgetall(jobKeys.journal(this.#writer.jobId));
    const { [ROLLBACK_FIELD]: rollback, ...entries } = hash;
    const steps = new Map(
      Object.entries(entries).map(([step, entry]) => [
        step,
        parseStored<JournalEntry>(storedForms.journalEntry, entry),
      ]),
    );
    for (const [step, { phase }] of steps) this.#phases.set(step, phase);
    return {
      steps,
      rollbackReason:
        rollback === undefined ? null : parseStored<JobFailure>(storedForms.journalEntry, rollback),
    };
  }

  write(
    step: string,
    entry: JournalEntry,
    message?: ProgressMessage,
    changes: RecordChanges = {},
  ): Promise<void> {
    const value = formatStored(storedForms.journalEntry, entry);
    const journal = { field: step, value, isProgress: this.#comesFurther(step, entry) };
    return message === undefined
      ? this.#writer.record(changes, journal)
      : this.#writer.publish(message, changes, journal);
  }

  /** A call that is sent or awaited once more brings a step no further. */
  #comesFurther(step: string, { phase }: JournalEntry): boolean {
    const before = RANKS[this.#phases.get(step) ?? 'begun'];
    this.#phases.set(step, phase);
    return RANKS[phase] > before;
  }

  startRollback(failure: JobFailure, isAnnounced = false): Promise<void> {
    const changes = { isCommitting: false, isRollingBack: true, failure } as const;
    const value = formatStored(storedForms.journalEntry, failure);
    const journal = { field: ROLLBACK_FIELD, value, isProgress: true };
    return isAnnounced
      ? this.#writer.announce(undoingMessage(failure), changes, journal)
      : this.#writer.record(changes, journal);
  }
}
