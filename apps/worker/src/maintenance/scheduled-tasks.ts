import { recordTaskSuccess, type ScheduledTaskName } from '@gateway/jobs';
import { readStoreTime } from '@gateway/store';
import type { WorkerContext } from '../context.ts';
import { checkClusterCredentials } from './check-cluster-credentials.ts';
import { checkClusters } from './check-clusters.ts';
import { deliverAuditEvents } from './deliver-audit-events.ts';
import { endClusterRecords } from './end-cluster-records.ts';
import { keepAutoBackups } from './keep-auto-backups.ts';
import { reconcileClusters } from './reconcile-clusters.ts';
import { removeOrphanedCredentialMakers } from './remove-orphaned-credential-makers.ts';
import { removeWebhooksOfDeletedProjects } from './remove-webhooks-of-deleted-projects.ts';
import { renewWebhookSeals } from './renew-webhook-seals.ts';
import { reportNearlyFullQuotas } from './report-nearly-full-quotas.ts';
import { restoreLostJobs } from './restore-lost-jobs.ts';
import { revokeOrphanedDelegations } from './revoke-orphaned-delegations.ts';
import { revokeTokensOfEndedSessions } from './revoke-tokens-of-ended-sessions.ts';
import { sendWebhooks } from './send-webhooks.ts';
import { sweepLeftovers } from './sweep-leftovers.ts';
import { takeSnapshots } from './take-snapshots.ts';
import { trimAllHistories } from './trim-all-histories.ts';

/** Run once per interval, whatever the number of workers. */
const scheduledTasks: Record<ScheduledTaskName, (worker: WorkerContext) => Promise<void>> = {
  'maintenance.audit-stream': deliverAuditEvents,
  'maintenance.auto-backups': keepAutoBackups,
  'maintenance.cluster-credentials': checkClusterCredentials,
  'maintenance.cluster-health': checkClusters,
  'maintenance.cluster-records': endClusterRecords,
  'maintenance.clusters': reconcileClusters,
  'maintenance.credential-makers': removeOrphanedCredentialMakers,
  'maintenance.delegations': revokeOrphanedDelegations,
  'maintenance.histories': trimAllHistories,
  'maintenance.quotas': reportNearlyFullQuotas,
  'maintenance.restore': restoreLostJobs,
  'maintenance.snapshots': takeSnapshots,
  'maintenance.sweep': sweepLeftovers,
  'maintenance.tokens': revokeTokensOfEndedSessions,
  'maintenance.webhook-projects': removeWebhooksOfDeletedProjects,
  'maintenance.webhook-seals': renewWebhookSeals,
  'maintenance.webhooks': sendWebhooks,
};

/**
 * Runs a task and records its success, unless the process stops: the task may then have left something. The
 * time is by the clock of the store: a success in the future would hide that the task no longer runs.
 */
export async function runScheduledTask(worker: WorkerContext, name: ScheduledTaskName): Promise<void> {
  await scheduledTasks[name](worker);
  if (worker.stopping.signal.aborted) return;
  const { store } = worker.redis;
  await recordTaskSuccess(store, name, await readStoreTime(store));
}
