import type { FollowOptions } from './reconnection.ts';
import { resumedEvents } from './resumed-events.ts';

/**
 * The fields of all jobs' messages, as the gateway sends them. Most jobs add the id of their resource,
 * such as `instance_id`.
 */
export interface JobMessage {
  step: string;
  /** Percent; -1 for a failure. A `JobEvent` never has -1. */
  progress: number;
  message: string;
  error: string | null;
  job_id: string;
  /** The kind of failure. */
  code?: string;
  /** The fields of the request that are the cause of the failure, as in `GatewayError`. */
  errors?: { field: string; message: string }[];
  /** Percent, by the usual durations of steps; null after a failure. See `movingProgress`. */
  estimated_progress: number | null;
  /** Where that is at the end of the step; null if it is not known. */
  estimated_step_progress: number | null;
  /** When the step usually ends; null if it is not known. */
  estimated_step_end_at: string | null;
  /** When the job usually ends; null if it is not known. */
  estimated_end_at: string | null;
}

/** A message of a job, for a page that shows it. */
export type JobEvent<Message> = Omit<Message, 'progress'> & {
  /** The number of the event: 1 for the first event of a job. */
  id: number;
  /** Percent, from 0 to 100. A failed job keeps its last value: 0 without an event before the failure. */
  progress: number;
};

/**
 * The events of a job, each once and in order. Iteration ends after the last event. Leaving the loop
 * disconnects without stopping the job.
 */
export type JobEvents<Message> = AsyncGenerator<JobEvent<Message>, void, void>;

/** Requests the stream after an event, 0 for the first. @throws GatewayError for an error response */
export type Connect = (lastEventId: number, signal: AbortSignal) => Promise<Response>;

/**
 * Follows a job over any number of connections.
 * @throws as `resumedEvents`
 */
export async function* jobEvents<Message extends JobMessage>(
  connect: Connect,
  options: FollowOptions,
): JobEvents<Message> {
  const { lastEventId = 0 } = options;
  let lastId = lastEventId;
  let progress = 0;
  const stream = {
    connect: (signal: AbortSignal) => connect(lastId, signal),
    // The gateway has no event after the job's last event.
    isOver: (isEmpty: boolean) => isEmpty && lastEventId > 0 && lastId === lastEventId,
  };
  for await (const { id, data } of resumedEvents(stream, options)) {
    const number = Number(id);
    if (!(number > lastId)) continue;
    lastId = number;
    const message = JSON.parse(data) as Message;
    if (!hasFailed(message)) progress = message.progress;
    yield { ...message, progress, id: lastId };
    if (isLastEvent(message)) return;
  }
}

/** Whether the message is the last of its job: `COMPLETED` or `FAILED`, in lower case for clusters. */
export function isLastEvent(message: Pick<JobMessage, 'step'>): boolean {
  return message.step.toUpperCase() === 'COMPLETED' || hasFailed(message);
}

/** Whether the message reports a failure of its job. Its `error` contains the reason. */
export function hasFailed({ step }: Pick<JobMessage, 'step'>): boolean {
  return step.toUpperCase() === 'FAILED';
}
