import type { JobEvent, JobMessage } from './job-events.ts';

/** The fields of an event that its bar needs. */
type Moving = Pick<
  JobEvent<JobMessage>,
  'progress' | 'estimated_progress' | 'estimated_step_progress' | 'estimated_step_end_at'
>;

/**
 * A bar that moves between an event and the next: a function that says where it is now, in percent. Call this
 * when the event arrives. The bar reaches the end of the step when the step usually ends, and waits there.
 */
export function movingProgress(event: Moving, clock: () => number = Date.now): () => number {
  const {
    progress,
    estimated_progress: from,
    estimated_step_progress: to,
    estimated_step_end_at: end,
  } = event;
  if (from === null) return () => progress;
  if (to === null || end === null) return () => from;
  const receivedAt = clock();
  const remaining = Date.parse(end) - receivedAt;
  return () => {
    const passed = remaining <= 0 ? 1 : Math.min(1, Math.max(0, (clock() - receivedAt) / remaining));
    return Math.floor(from + (to - from) * passed);
  };
}
