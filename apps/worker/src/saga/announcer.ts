import type { ProgressUpdate } from './step.ts';

/**
 * A function for the update with which a step begins.
 *
 * @param progress of each step of the job
 */
export function announcer<Step extends string>(progress: Readonly<Record<Step, number>>) {
  return (step: Step, message: string): ProgressUpdate => ({ step, progress: progress[step], message });
}
