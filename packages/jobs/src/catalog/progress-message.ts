import type { Estimate } from '../progress/job-bar.ts';

/** The progress message of any job, as stored in its log. */
export interface ProgressMessage {
  step: string;
  progress: number;
  message: string;
  error?: string | null;
}

/**
 * The data of an event: the message, the id of the job for clients that follow several jobs, and the estimate at
 * the time of the event.
 */
export type EventData<Message extends ProgressMessage = ProgressMessage> = Message & {
  job_id: string;
} & Estimate;
