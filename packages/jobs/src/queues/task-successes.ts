import type { Config } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import { type ScheduledTaskName, scheduledTasksOf, taskIntervalMs } from '../catalog/scheduled-tasks.ts';
import { jobKeys } from '../keys.ts';

/** Times are in milliseconds, since the epoch. */
export interface TaskState {
  /** When a run of the task last ended without an error, in any worker; 0 if the store knows of none. */
  lastSuccessAt: number;
  intervalMs: number;
}

/** A task that misses this much besides two intervals is overdue. The alert has the same limit. */
const GRACE_MS = 600_000;

export async function recordTaskSuccess(redis: Redis, name: ScheduledTaskName, now: number): Promise<void> {
  await redis.hset(jobKeys.taskSuccesses, name, now);
}

/** All tasks, also those that have never run. */
export async function readTaskStates(
  redis: Redis,
  config: Pick<Config, 'audit' | 'jobs' | 'lite'>,
): Promise<Partial<Record<ScheduledTaskName, TaskState>>> {
  const successes = await redis.hgetall(jobKeys.taskSuccesses);
  return Object.fromEntries(
    scheduledTasksOf(config).map((name): [ScheduledTaskName, TaskState] => [
      name,
      { lastSuccessAt: Number(successes[name] ?? 0), intervalMs: taskIntervalMs(name, config) },
    ]),
  );
}

/** Whether the last success is too long ago. What was before `since` does not count as time without one. */
export function isOverdue(
  { lastSuccessAt, intervalMs }: TaskState,
  { now, since }: { now: number; since: number },
): boolean {
  return now - Math.max(lastSuccessAt, since) > GRACE_MS + 2 * intervalMs;
}
