import type { JobFailure, Leftover } from '@gateway/jobs';
import type { Journal, News } from './journal.ts';
import type { ProgressUpdate, Step } from './step.ts';

export interface SagaRun<Context, State extends object> {
  steps: readonly Step<Context, State>[];
  context: Context;
  journal: Journal;
  /** Makes the message for the streams out of a step's announcement and what is known by then. */
  news(announcement: ProgressUpdate, state: Readonly<Partial<State>>): News;
  /** Aborted when somebody asked the job to stop. */
  cancelled: AbortSignal;
  /** Aborted when this process stops: the job goes on elsewhere, from the journal. */
  stopping: AbortSignal;
  /** Why the saga has to turn back whatever it has come to; null when it does not. */
  abortReason?: JobFailure | null;
  /** How long a step is tried again while its service is away or asks for patience. */
  retryTimeoutMs: number;
  /** How long the undoing of one step is retried, counted over all runs. */
  undoTimeoutMs: number;
  /** How long after its sender's death a call may still take effect. */
  lateCallMs: number;
  events?: SagaEvents;
}

export interface SagaEvents {
  onStep?(step: string, outcome: 'completed' | 'failed' | 'undone' | 'left', durationMs: number): void;
  /** A step is tried again, because of this. */
  onRetry?(step: string, error: unknown): void;
  /** The cause of a turn back, with all that must not reach the client. */
  onRollBack?(step: string | null, error: unknown): void;
  onUndoFailed?(step: string, error: unknown): void;
  /** Something is removed that a late call of the step has made. */
  onDuplicate?(step: string, extra: { type: string; id: string } | undefined): void;
}

export type SagaOutcome<State> =
  | {
      kind: 'completed';
      state: Partial<State>;
      leftovers: Leftover[];
      /** There is no way back from here, also not for a wish to cancel. */
      isCommitted: boolean;
      /** A call may still make something that the job does not know of. To be looked for again. */
      isUncertain: boolean;
    }
  | ({ kind: 'failed'; state: Partial<State>; failure: JobFailure } & RollbackResult);

/** What came of taking back. */
export interface RollbackResult {
  leftovers: Leftover[];
  /** A call may still make something after the rollback. To be looked for again. */
  isUncertain: boolean;
}

/** Thrown when the run stops because its process does: somebody else takes the job up where it stands. */
export class ReleasedError extends Error {
  constructor() {
    super('The job is released to another worker.');
    this.name = 'ReleasedError';
  }
}

/**
 * Thrown to wait for something outside without taking a worker's place: by a step's `settle`, or by the runner while a dead
 * run's call may still take effect. The job resumes with the same step after `pauseMs` at the latest, or when it is woken.
 */
export class ParkedError extends Error {
  readonly pauseMs: number;

  constructor(pauseMs: number) {
    super('The job is parked.');
    this.name = 'ParkedError';
    this.pauseMs = pauseMs;
  }
}

/**
 * Thrown when the journal could not be written though the job is still this run's: the store is at fault, not the
 * work. Nothing is taken back; a later run goes on from what the journal holds.
 */
export class JournalWriteError extends Error {
  constructor(cause: unknown) {
    super('The journal could not be written.', { cause });
    this.name = 'JournalWriteError';
  }
}

export const CANCELLED = 'cancelled';
/** Nobody is let in any more to do what the saga does: no try of this run will go otherwise. */
export const TOKEN_EXPIRED = 'token_expired';
