import type { LiteHealthConfig } from '@gateway/config';
import type { WorkerContext } from '../context.ts';
import { checkClusterCredentials } from './check-cluster-credentials.ts';
import { checkClusters } from './check-clusters.ts';
import { endClusterRecords } from './end-cluster-records.ts';
import { keepAutoBackups } from './keep-auto-backups.ts';
import { reconcileClusters } from './reconcile-clusters.ts';
import { removeOrphanedCredentialMakers } from './remove-orphaned-credential-makers.ts';
import { restoreLostJobs } from './restore-lost-jobs.ts';
import { revokeOrphanedDelegations } from './revoke-orphaned-delegations.ts';
import { revokeTokensOfEndedSessions } from './revoke-tokens-of-ended-sessions.ts';
import { sweepLeftovers } from './sweep-leftovers.ts';
import { takeSnapshots } from './take-snapshots.ts';

/** Run once per interval, whatever the number of workers. The names are stored in Redis. */
export const scheduledTasks = {
  'maintenance.auto-backups': keepAutoBackups,
  'maintenance.cluster-credentials': checkClusterCredentials,
  'maintenance.cluster-health': checkClusters,
  'maintenance.cluster-records': endClusterRecords,
  'maintenance.clusters': reconcileClusters,
  'maintenance.credential-makers': removeOrphanedCredentialMakers,
  'maintenance.delegations': revokeOrphanedDelegations,
  'maintenance.restore': restoreLostJobs,
  'maintenance.snapshots': takeSnapshots,
  'maintenance.sweep': sweepLeftovers,
  'maintenance.tokens': revokeTokensOfEndedSessions,
} satisfies Record<string, (worker: WorkerContext) => Promise<void>>;

type TaskName = keyof typeof scheduledTasks;

export function isScheduledTask(name: string): name is TaskName {
  return name in scheduledTasks;
}

/** Each check is a log-in. */
const CREDENTIALS_INTERVAL_MS = 3_600_000;

/** Schedules all tasks. Idempotent: every worker calls it when it starts. */
export async function scheduleTasks({ config, queues }: WorkerContext): Promise<void> {
  const everyMs = config.jobs.sweepSeconds * 1000;
  const intervals: Partial<Record<TaskName, number>> = {
    'maintenance.cluster-credentials': CREDENTIALS_INTERVAL_MS,
    'maintenance.cluster-health': healthTaskIntervalMs(config.lite.health),
  };
  const names = Object.keys(scheduledTasks) as TaskName[];
  await Promise.all(names.map((name) => queues.schedule('maintenance', name, intervals[name] ?? everyMs)));
}

/** A due check waits a sixth of its interval at most. */
function healthTaskIntervalMs({ intervalSeconds }: LiteHealthConfig): number {
  return Math.min(10_000, Math.max(1_000, (intervalSeconds * 1000) / 6));
}
