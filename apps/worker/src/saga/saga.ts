import { GatewayError, NewerFormError, UnknownSealingKeyError } from '@gateway/core';
import type { JobFailure, Leftover, ProgressMessage } from '@gateway/jobs';
import { ServiceUserRefusedError } from '@gateway/openstack';
import type { Journal } from './journal.ts';
import type { ProgressUpdate, Step } from './step.ts';

export interface SagaRun<Context, State extends object> {
  steps: readonly Step<Context, State>[];
  context: Context;
  journal: Journal;
  /** Creates the job's message for an update, given the results of the steps so far. */
  toMessage(update: ProgressUpdate, state: Readonly<Partial<State>>): ProgressMessage;
  /** Aborted when cancellation of the job was requested. */
  cancelled: AbortSignal;
  /** Aborted when this process stops: another worker resumes the job from its journal. */
  stopping: AbortSignal;
  /** Why the saga must roll back whatever its progress; null when it must not. */
  abortReason?: JobFailure | null;
  /**
   * The journal may lack what an earlier run has done, because the store was set back: the run searches for
   * what a step would make, also where the journal has nothing of it.
   */
  mayBeBehind?: boolean;
  /**
   * Whether the job is known to have ended before, so that its resources are its user's. Asked when the
   * journal may be behind, before the run makes what it has not found and before it rolls back. A step that
   * commits the saga and has taken effect says the same.
   */
  hasEndedBefore?(): Promise<boolean>;
  /** How long a step is retried while its service is unavailable or asks to back off. */
  retryTimeoutMs: number;
  /** How long the undo of one step is retried, over all runs. */
  undoTimeoutMs: number;
  /** How long a call may still take effect after its sender died. */
  lateCallMs: number;
  events?: SagaEvents;
  /** Runs a step, or the undo of one, within a span of its own. */
  traceStep?<Result>(name: string, action: () => Promise<Result>): Promise<Result>;
}

/** Runs the action within a span, if the run has traces. */
export function traced<Result>(
  { traceStep }: Pick<SagaRun<never, never>, 'traceStep'>,
  name: string,
  action: () => Promise<Result>,
): Promise<Result> {
  return traceStep === undefined ? action() : traceStep(name, action);
}

export interface SagaEvents {
  onStep?(step: string, outcome: 'completed' | 'failed' | 'undone' | 'left', durationMs: number): void;
  /** The resource of the job exists, and can be read, although it is not ready yet. */
  onResource?(): void;
  /** A step is retried because of this error. */
  onRetry?(step: string, error: unknown): void;
  /** The cause of a rollback, including details that must not reach the client. */
  onRollBack?(step: string | null, error: unknown): void;
  onUndoFailed?(step: string, error: unknown): void;
  /** A duplicate is removed that a late call of the step has made. */
  onDuplicate?(step: string, extra: { type: string; id: string } | undefined): void;
}

export type SagaOutcome<State> =
  | ({
      kind: 'completed';
      state: Partial<State>;
      /** The saga can no longer roll back, not even when cancellation is requested. */
      isCommitted: boolean;
    } & RollbackResult)
  | ({ kind: 'failed'; state: Partial<State>; failure: JobFailure } & RollbackResult);

/** What remains after a rollback, or after the removal of duplicates. */
export interface RollbackResult {
  leftovers: Leftover[];
  /** A call may still make something after the rollback: search again later. */
  isUncertain: boolean;
  /** A search for what late calls have made has failed: it is repeated until one succeeds. */
  hasFailedSearch?: boolean;
  /** The searches for what late calls have made need the rights of the job's owner. */
  needsOwner?: boolean;
}

/** Thrown when the run stops because its process stops: another worker resumes the job. */
export class ReleasedError extends Error {
  constructor() {
    super('The job is released to another worker.');
    this.name = 'ReleasedError';
  }
}

/**
 * Thrown to wait for an external event without holding a worker's slot: by a step's `settle`, by a `run` that
 * can be repeated, or while a dead run's call may still take effect. The job resumes with the same step after
 * `pauseMs` at the latest, or when it is resumed.
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
 * The run cannot continue, and nothing is wrong with the job: it is parked, or only another process can read
 * what is stored, or an operator has to mend the service user or add a sealing key. The job stays as it is
 * and runs again later. Nothing is rolled back.
 */
export function mustWait(error: unknown): boolean {
  return (
    error instanceof ParkedError ||
    error instanceof NewerFormError ||
    error instanceof UnknownSealingKeyError ||
    error instanceof ServiceUserRefusedError
  );
}

/**
 * Thrown when the store failed to write the journal although this run still holds the claim. Nothing is
 * rolled back; a later run continues from the journal.
 */
export class JournalWriteError extends Error {
  constructor(cause: unknown) {
    super('The journal could not be written.', { cause });
    this.name = 'JournalWriteError';
  }
}

/**
 * Thrown when the job has ended before, and the store has lost that: it ends once more, and nothing changes.
 */
export class EndedBeforeError extends Error {
  constructor() {
    super('The job has ended before.');
    this.name = 'EndedBeforeError';
  }
}

export const CANCELLED = 'cancelled';
export const TOKEN_EXPIRED = 'token_expired';
export const DELEGATION_LOST = 'delegation_lost';

/** No identity of the job grants access any more: a retry in this run would fail as well. */
export function isAccessLost(error: unknown): boolean {
  return error instanceof GatewayError && [TOKEN_EXPIRED, DELEGATION_LOST].includes(error.code);
}
