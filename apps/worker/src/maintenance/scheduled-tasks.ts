import type { LiteHealthConfig } from '@gateway/config';
import type { WorkerContext } from '../context.ts';
import { checkClusterCredentials } from './check-cluster-credentials.ts';
import { checkClusters } from './check-clusters.ts';
import { keepAutoBackups } from './keep-auto-backups.ts';
import { reconcileClusters } from './reconcile-clusters.ts';
import { restoreLostJobs } from './restore-lost-jobs.ts';
import { revokeTokensOfEndedSessions } from './revoke-kept-tokens.ts';
import { sweepLeftovers } from './sweep-leftovers.ts';
import { takeSnapshots } from './take-snapshots.ts';

/** Run once per interval, whatever the number of workers. The names are stored in Redis. */
export const scheduledTasks = {
  'upkeep.auto-backups': keepAutoBackups,
  'upkeep.cluster-credentials': checkClusterCredentials,
  'upkeep.cluster-health': checkClusters,
  'upkeep.clusters': reconcileClusters,
  'upkeep.restore': restoreLostJobs,
  'upkeep.snapshots': takeSnapshots,
  'upkeep.sweep': sweepLeftovers,
  'upkeep.tokens': revokeTokensOfEndedSessions,
} satisfies Record<string, (worker: WorkerContext) => Promise<void>>;

export type TaskName = keyof typeof scheduledTasks;

export function isScheduledTask(name: string): name is TaskName {
  return name in scheduledTasks;
}

/** Each check is a log-in. */
const CREDENTIALS_INTERVAL_MS = 3_600_000;

/** Schedules all tasks. Idempotent: every worker calls it when it starts. */
export async function scheduleTasks({ config, queues }: WorkerContext): Promise<void> {
  const everyMs = config.jobs.sweepSeconds * 1000;
  const intervals: Partial<Record<TaskName, number>> = {
    'upkeep.cluster-credentials': CREDENTIALS_INTERVAL_MS,
    'upkeep.cluster-health': healthTaskIntervalMs(config.lite.health),
  };
  const names = Object.keys(scheduledTasks) as TaskName[];
  await Promise.all(names.map((name) => queues.schedule('upkeep', name, intervals[name] ?? everyMs)));
}

/** A due check waits a sixth of its interval at most. */
function healthTaskIntervalMs({ intervalSeconds }: LiteHealthConfig): number {
  return Math.min(10_000, Math.max(1_000, (intervalSeconds * 1000) / 6));
}
