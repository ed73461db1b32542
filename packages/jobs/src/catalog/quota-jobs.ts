import { CLEANUP, jobType } from './job-type.ts';
import type { ProgressMessage } from './progress-message.ts';

/**
 * The quotas that an update takes, by the service that has them. The services change in this order, each in a
 * step with its name, which is stored.
 */
export const quotaLimits = {
  compute: ['instances', 'cores', 'ram'],
  storage: ['volumes', 'gigabytes'],
  network: [
    'networks',
    'subnets',
    'ports',
    'routers',
    'floating_ips',
    'security_groups',
    'security_group_rules',
  ],
  'file-storage': [
    'shares',
    'share_gigabytes',
    'share_snapshots',
    'share_snapshot_gigabytes',
    'share_networks',
  ],
  'load-balancer': ['load_balancers', 'listeners', 'pools', 'members', 'health_monitors'],
} as const;

export type QuotaServiceName = keyof typeof quotaLimits;
type LimitName = (typeof quotaLimits)[QuotaServiceName][number];

/** New limits of a project, by quota. Memory in MiB, sizes in GiB; -1 is unlimited. */
export type NewQuotaLimits = Partial<Record<LimitName, number>>;

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
