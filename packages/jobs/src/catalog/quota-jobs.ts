import { CLEANUP, jobType } from './job-type.ts';
import type { ProgressMessage } from './progress-message.ts';

/** New limits of a project, by quota. Memory in MiB, sizes in GiB; -1 is unlimited. */
export type NewQuotaLimits = Partial<Record<LimitName, number>>;

type LimitName =
  | 'instances'
  | 'cores'
  | 'ram'
  | 'volumes'
  | 'gigabytes'
  | 'networks'
  | 'subnets'
  | 'ports'
  | 'routers'
  | 'floating_ips'
  | 'security_groups'
  | 'security_group_rules'
  | 'shares'
  | 'share_gigabytes'
  | 'share_snapshots'
  | 'share_snapshot_gigabytes'
  | 'share_networks'
  | 'load_balancers'
  | 'listeners'
  | 'pools'
  | 'members'
  | 'health_monitors';

/** A change of limits in several services: all change or none. */
export interface QuotaUpdate {
  /** The project that gets the limits. */
  quotaProjectId: string;
  limits: NewQuotaLimits;
}

export const quotaProgress = { QUOTAS_CHANGING: 10, COMPLETED: 100, FAILED: -1 } as const;

/** One event of an update of quotas. */
export interface QuotaMessage extends ProgressMessage {
  step: keyof typeof quotaProgress;
  quota_project_id: string;
  error: string | null;
}

export const quotaJobs = {
  'quotas.update': jobType<QuotaUpdate, QuotaMessage>({ ...CLEANUP, resourceType: 'project' }),
};
