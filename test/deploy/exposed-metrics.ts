import { firstBootStages } from '@gateway/libraries';
import type { HealthStatus } from '@gateway/lite';
import {
  type CacheRead,
  createMetrics,
  type DelegationOutcome,
  type JobFinished,
  type LogInOutcome,
  type QueueName,
  type StepFinished,
  type WebhookOutcome,
} from '@gateway/platform';
import { writeRefusals } from '@gateway/store';
import type { Query } from './promql.ts';

/** The labels of each time series with their values, by its name. */
export type ExposedMetrics = Map<string, Map<string, Set<string>>>;

/** The labels that distinguish gateways, which every time series has. */
export const originLabels = ['gateway', 'region'];

/** Labels that Prometheus adds to every time series that it scrapes, also to `up`. */
export const targetLabels = ['job', 'instance', ...originLabels];

/** Labels whose values are all known. */
const ENUMERATED = [
  'cause',
  'outcome',
  'connection',
  'owner',
  'reason',
  'health',
  'queue',
  'result',
  'stage',
];

/** Reads the text exposition format. Histograms have a name for each of their parts. */
export function readExposition(text: string): ExposedMetrics {
  const metrics: ExposedMetrics = new Map();
  for (const line of text.split('\n')) {
    const [, name = '', type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (type === 'histogram') {
      for (const part of ['bucket', 'sum', 'count']) metrics.set(`${name}_${part}`, new Map());
    } else if (type !== undefined) metrics.set(name, new Map());
    const [, sample = '', labels = ''] = /^([a-z]\w*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (sample === '') continue;
    const known = metrics.get(sample) ?? new Map<string, Set<string>>();
    for (const [, label = '', value = ''] of labels.matchAll(/([a-z_]\w*)="([^"]*)"/g)) {
      known.set(label, (known.get(label) ?? new Set()).add(value));
    }
    metrics.set(sample, known);
  }
  return metrics;
}

/** What a query reads that no process exposes. */
export function missingFrom(exposed: ExposedMetrics, { selectors, groupings }: Query): string[] {
  const missing: string[] = [];
  const grouped = new Set(targetLabels);
  for (const { metric, matchers } of selectors) {
    if (metric === 'up') continue;
    const labels = exposed.get(metric);
    if (labels === undefined) missing.push(metric);
    for (const label of labels?.keys() ?? []) grouped.add(label);
    for (const { label, value } of matchers) {
      const values = labels?.get(label);
      if (values === undefined && !targetLabels.includes(label)) missing.push(`${metric}{${label}}`);
      if (!ENUMERATED.includes(label)) continue;
      const unknown = value.split('|').filter((name) => values?.has(name) !== true);
      missing.push(...unknown.map((name) => `${metric}{${label}="${name}"}`));
    }
  }
  return [...missing, ...groupings.flat().filter((label) => !grouped.has(label))];
}

/** All names of a type. Fails to compile if a name is missing. */
function all<Name extends string>(names: Record<Name, true>): Name[] {
  return Object.keys(names) as Name[];
}

/** All metrics of api and worker, with all labels, and all values of labels with a fixed set of values. */
export async function allMetrics(): Promise<ExposedMetrics> {
  const metrics = createMetrics({ firstBootStages, origin: { gateway: 'g', region: 'R' } });
  metrics.requestFinished({ method: 'GET', route: '/', status: 200, durationSeconds: 1 });
  metrics.upstreamCall({ service: 'compute', operation: 'servers.list', status: 200, durationSeconds: 1 });
  metrics.oddRecord({ service: 'compute', record: 'server' });
  for (const outcome of all<CacheRead['outcome']>({ process_hit: true, shared_hit: true, miss: true })) {
    metrics.cacheRead({ list: 'images', outcome });
  }
  metrics.listCompressed({ list: 'images', encoding: 'zstd' });
  metrics.jobBegun({ type: 'instance.create', waitSeconds: 1 });
  for (const outcome of all<JobFinished['outcome']>({ completed: true, failed: true, cancelled: true })) {
    for (const cause of all<JobFinished['cause']>({ refused: true, fault: true, none: true }))
      metrics.jobFinished({ type: 'instance.create', outcome, cause, durationSeconds: 1 });
  }
  const stepOutcomes = { completed: true, failed: true, undone: true, left: true } as const;
  for (const outcome of all<StepFinished['outcome']>(stepOutcomes)) {
    metrics.stepFinished({ type: 'instance.create', step: 'port', outcome, durationSeconds: 1 });
  }
  for (const outcome of all<LogInOutcome>({ succeeded: true, refused: true, failed: true })) {
    metrics.serviceUserLoggedIn(outcome);
  }
  const delegations = all<DelegationOutcome>({
    created: true,
    application_credential: true,
    single_sign_on: true,
    refused: true,
    failed: true,
  });
  for (const outcome of delegations) metrics.delegationAsked(outcome);
  for (const stage of firstBootStages) {
    for (const result of ['ready', 'failed'] as const) metrics.firstBootEnded({ result, stage });
  }
  const queues = all<QueueName>({ provisioning: true, cleanup: true, maintenance: true });
  metrics.observeQueueDepth(async () => Object.fromEntries(queues.map((queue) => [queue, { waiting: 1 }])));
  const load = { workers: 1, slots: 1, wantedSlots: 1, oldestWaitingSeconds: 1 };
  metrics.observeQueueLoad(async () => Object.fromEntries(queues.map((queue) => [queue, load])));
  metrics.observeLeftovers(async () => 1);
  metrics.observeUpstream(async () => ({ compute: { inFlight: 1, waiting: 1 } }));
  const refusals = Object.fromEntries(writeRefusals.map((reason) => [reason, true]));
  const server = { isUp: false, refusals, memory: { usedBytes: 1, limitBytes: 1 } };
  metrics.observeRedis(async () => ({ store: server, cache: server }));
  const health = all<HealthStatus>({
    HEALTHY: true,
    DEGRADED: true,
    UNHEALTHY: true,
    UNREACHABLE: true,
    UNKNOWN: true,
  });
  metrics.observeClusters(async () => ({
    byHealth: Object.fromEntries(health.map((status) => [status, 1])),
    certificatesExpiring: 1,
    certificateDaysLeft: 1,
  }));
  metrics.observeLostCredentials(async () => 1);
  metrics.sealingKeyMissing('k1');
  metrics.configReloaded(true);
  metrics.listenerCertificateUsed(new Date());
  metrics.observePausedQueues(async () => ({ provisioning: true }));
  metrics.observeReadOnlyMode(async () => true);
  metrics.observeClockOffset(async () => 1);
  metrics.observeAuditStream(async () => ({ delivered: 1, dropped: 1, waiting: 1, oldestSeconds: 1 }));
  metrics.observeFailedAutoBackups(async () => 1);
  metrics.observeWaitingAutoBackups(async () => 1);
  for (const outcome of all<WebhookOutcome>({ delivered: true, retried: true, failed: true }))
    metrics.webhookDelivered(outcome, 1);
  metrics.observeWebhooks(async () => ({ projects: 1, site: 1 }));
  metrics.observeScheduledTasks(async () => ({ sweep: { lastSuccessSeconds: 1, intervalSeconds: 1 } }));
  metrics.observeCloudChecks(async () => ({
    serviceUserWorks: true,
    serviceUserIsAdministrator: true,
    regionInCatalog: true,
  }));
  metrics.observeHeldJobs(async () => ({ lost_runs: 1, administrator: 0 }));
  return readExposition((await metrics.metricsText()).body);
}
