import type { WorkerContext } from '../context.ts';
import { restoreLostJobs } from './restore-lost-jobs.ts';
import { sweepLeftovers } from './sweep-leftovers.ts';

/** Recurring work, done once per round however many workers there are. */
export const routines = {
  'upkeep.restore': restoreLostJobs,
  'upkeep.sweep': sweepLeftovers,
} satisfies Record<string, (context: WorkerContext) => Promise<void>>;

export type RoutineName = keyof typeof routines;

export function isRoutine(name: string): name is RoutineName {
  return name in routines;
}

/** Has all routines done again and again; a worker that starts says so anew, which changes nothing. */
export async function scheduleRoutines({ config, queues }: WorkerContext): Promise<void> {
  const everyMs = config.jobs.sweepSeconds * 1000;
  await Promise.all(Object.keys(routines).map((name) => queues.schedule('upkeep', name, everyMs)));
}
