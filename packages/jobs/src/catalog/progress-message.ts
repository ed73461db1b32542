import type { ConflictReason, ErrorParams, FieldError } from '@gateway/core';

/** The progress message of any job, as stored in its log. */
export interface ProgressMessage {
  step: string;
  progress: number;
  message: string;
  error?: string | null;
  /** This and what follows it are set after a failure. */
  code?: string;
  reason?: ConflictReason;
  params?: ErrorParams;
  /** The fields of the request that are the cause. */
  errors?: FieldError[];
}

/** What a job and its events say about their future. */
export interface Estimate {
  estimated_progress: number | null;
  estimated_step_progress: number | null;
  estimated_step_end_at: string | null;
  estimated_end_at: string | null;
}

/**
 * The data of an event: the message, the id of the job for clients that follow several jobs, and the estimate
 * at the time of the event.
 */
export type EventData<Message extends ProgressMessage = ProgressMessage> = Message & {
  job_id: string;
} & Estimate;
