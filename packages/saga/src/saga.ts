import type { JobFailure, Leftover } from '@gateway/jobs';
import type { Journal, News } from './journal.ts';
import type { Announcement, Step } from './step.ts';

export interface SagaRun<Context, State extends object> {
  steps: readonly Step<Context, State>[];
  context: Context;
  journal: Journal;
  /** Makes the message for the streams out of a step's announcement and what is known by then. */
  news(announcement: Announcement, state: Readonly<Partial<State>>): News;
  /** Aborted when somebody asked the job to stop. */
  cancelled: AbortSignal;
  /** Aborted when this process stops: the job goes on elsewhere, from the journal. */
  handedBack: AbortSignal;
  /** How long the undoing of one step is retried. */
  undoTimeoutMs: number;
  events?: SagaEvents;
}

export interface SagaEvents {
  onStep?(step: string, outcome: 'completed' | 'failed' | 'undone' | 'left', durationMs: number): void;
  /** The cause of a turn back, with all that must not reach the client. */
  onTurnBack?(step: string | null, error: unknown): void;
  onUndoFailed?(step: string, error: unknown): void;
}

export type SagaOutcome<State> =
  | { kind: 'completed'; state: Partial<State> }
  | { kind: 'failed'; state: Partial<State>; failure: JobFailure; leftovers: Leftover[] };

/** Thrown when the run stops because its process does: somebody else takes the job up where it stands. */
export class HandedBackError extends Error {
  constructor() {
    super('The job is handed back.');
    this.name = 'HandedBackError';
  }
}

export const CANCELLED = 'cancelled';
