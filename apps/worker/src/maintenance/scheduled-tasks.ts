import type { WorkerContext } from '../context.ts';
import { keepAutoBackups } from './keep-auto-backups.ts';
import { restoreLostJobs } from './restore-lost-jobs.ts';
import { sweepLeftovers } from './sweep-leftovers.ts';

/** Run once per interval, whatever the number of workers. The names are stored in Redis. */
export const scheduledTasks = {
  'upkeep.auto-backups': keepAutoBackups,
  'upkeep.restore': restoreLostJobs,
  'upkeep.sweep': sweepLeftovers,
} satisfies Record<string, (worker: WorkerContext) => Promise<void>>;

export type TaskName = keyof typeof scheduledTasks;

export function isScheduledTask(name: string): name is TaskName {
  return name in scheduledTasks;
}

/** Schedules all tasks. Idempotent: every worker calls it when it starts. */
export async function scheduleTasks({ config, queues }: WorkerContext): Promise<void> {
  const everyMs = config.jobs.sweepSeconds * 1000;
  await Promise.all(Object.keys(scheduledTasks).map((name) => queues.schedule('upkeep', name, everyMs)));
}
