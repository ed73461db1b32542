import type { Config } from '@gateway/platform';

/** The tasks that workers run in intervals. The names are stored in Redis. */
export const scheduledTaskNames = [
  'maintenance.audit-stream',
  'maintenance.auto-backups',
  'maintenance.cluster-credentials',
  'maintenance.cluster-health',
  'maintenance.cluster-records',
  'maintenance.clusters',
  'maintenance.credential-makers',
  'maintenance.delegations',
  'maintenance.histories',
  'maintenance.quotas',
  'maintenance.restore',
  'maintenance.snapshots',
  'maintenance.sweep',
  'maintenance.tokens',
  'maintenance.webhook-projects',
  'maintenance.webhook-seals',
  'maintenance.webhooks',
] as const;

export type ScheduledTaskName = (typeof scheduledTaskNames)[number];

export function isScheduledTask(name: string): name is ScheduledTaskName {
  return scheduledTaskNames.some((known) => known === name);
}

/** The tasks that there are with these settings. */
export function scheduledTasksOf({ audit }: Pick<Config, 'audit'>): ScheduledTaskName[] {
  const { url } = audit.stream;
  return scheduledTaskNames.filter((name) => name !== 'maintenance.audit-stream' || url !== null);
}

/** Each check is a log-in. */
const CREDENTIALS_INTERVAL_MS = 3_600_000;
/** Each run asks all services for the quotas of each project that a webhook may learn of. */
const QUOTAS_INTERVAL_MS = 3_600_000;
/** Each run asks for each project with a webhook. */
const PROJECTS_INTERVAL_MS = 3_600_000;
/** How long an audit event waits for its delivery. */
const AUDIT_INTERVAL_MS = 5_000;

/** The time between two runs of a task, in milliseconds. */
export function taskIntervalMs(
  name: ScheduledTaskName,
  { jobs, lite }: Pick<Config, 'jobs' | 'lite'>,
): number {
  if (name === 'maintenance.audit-stream') return AUDIT_INTERVAL_MS;
  if (name === 'maintenance.cluster-credentials') return CREDENTIALS_INTERVAL_MS;
  if (name === 'maintenance.quotas') return QUOTAS_INTERVAL_MS;
  if (name === 'maintenance.webhook-projects') return PROJECTS_INTERVAL_MS;
  // A due check waits a sixth of its interval at most.
  if (name === 'maintenance.cluster-health')
    return Math.min(10_000, Math.max(1_000, (lite.health.intervalSeconds * 1000) / 6));
  return jobs.sweepSeconds * 1000;
}
