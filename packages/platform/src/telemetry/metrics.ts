import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { CounterFromZero } from './counter-from-zero.ts';
import type { Metrics } from './events.ts';
import type { Origin } from './origin.ts';
import { sharedStateGauges } from './shared-state-gauges.ts';

interface MetricsOptions {
  /** Labels of all samples. Defaults to none. */
  origin?: Origin;
  /** Adds memory, CPU, event loop and garbage collection metrics of the process. Defaults to true. */
  processMetrics?: boolean;
  /** Maximum time for a gauge that is computed at scrape time. Defaults to 2000. */
  scrapeTimeoutMs?: number;
  /** The stages of the first boots of instances whose results the process receives. Others are `other`. */
  firstBootStages?: readonly string[];
}

/** Machines report the names of stages, so only known names become labels. */
const OTHER_STAGE = 'other';

/** In seconds: from a cache hit to a slow upstream read. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** In seconds: from a deletion to a library build. */
const JOB_BUCKETS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600];

/** The metrics of one process, in their own registry. */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  if (options.origin !== undefined) registry.setDefaultLabels({ ...options.origin });
  const registers = [registry];
  if (options.processMetrics !== false) collectDefaultMetrics({ register: registry });

  function counter<Label extends string>(name: string, help: string, labelNames: Label[]) {
    return new CounterFromZero({ name, help, labelNames, registers });
  }
  function histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets: number[],
  ) {
    return new Histogram({ name, help, labelNames, buckets, registers });
  }

  const requests = counter('gateway_http_requests_total', 'HTTP requests.', ['method', 'route', 'status']);
  const requestDuration = histogram(
    'gateway_http_request_duration_seconds',
    'Duration of HTTP requests, until the response has finished.',
    ['method', 'route', 'status'],
    REQUEST_BUCKETS,
  );
  const upstreamCalls = counter('gateway_upstream_calls_total', 'Calls to cloud services.', [
    'service',
    'operation',
    'status',
  ]);
  const upstreamDuration = histogram(
    'gateway_upstream_call_duration_seconds',
    'Duration of calls to cloud services.',
    ['service', 'operation'],
    REQUEST_BUCKETS,
  );
  const oddRecords = counter(
    'gateway_odd_records_total',
    'Rows of cloud services that cannot be read, and are left out of their lists.',
    ['service', 'record'],
  );
  const cacheReads = counter('gateway_cache_reads_total', 'Reads of cached lists.', ['list', 'outcome']);
  const compressions = counter(
    'gateway_list_compressions_total',
    'Cached lists that were compressed, once for all readers until they change.',
    ['list', 'encoding'],
  );
  const jobWait = histogram(
    'gateway_job_wait_seconds',
    'Time from the request for a job until a worker begins it.',
    ['type'],
    JOB_BUCKETS,
  );
  const jobs = counter('gateway_jobs_total', 'Finished jobs, and why they have failed.', [
    'type',
    'outcome',
    'cause',
  ]);
  const jobDuration = histogram(
    'gateway_job_duration_seconds',
    'Time from the request for a job to its end.',
    ['type', 'outcome'],
    JOB_BUCKETS,
  );
  const stepDuration = histogram(
    'gateway_job_step_duration_seconds',
    'Duration of job steps.',
    ['type', 'step', 'outcome'],
    JOB_BUCKETS,
  );
  const openStreams = new Gauge({ name: 'gateway_open_streams', help: 'Open event streams.', registers });
  const listeners = new Gauge({
    name: 'gateway_listeners',
    help: 'Open streams of what changes in projects, which are part of gateway_open_streams.',
    registers,
  });
  const polls = counter('gateway_list_polls_total', 'Polls of lists of projects with listeners.', [
    'type',
    'outcome',
  ]);
  const logIns = counter(
    'gateway_service_user_logins_total',
    'Log-ins of the service user to its own project.',
    ['outcome'],
  );
  const delegations = counter(
    'gateway_delegations_total',
    'Delegations that jobs and auto backups asked of the identity service.',
    ['outcome'],
  );
  const webhooks = counter(
    'gateway_webhook_deliveries_total',
    'Messages to webhooks, by the result of each attempt or of the last one.',
    ['outcome'],
  );
  const firstBoots = counter(
    'gateway_first_boot_results_total',
    'Boots of instances with libraries, by their result and the stage in which they ended.',
    ['result', 'stage'],
  );
  const { firstBootStages = [] } = options;
  const replicasLate = new Gauge({
    name: 'gateway_redis_replicas_late',
    help: 'Whether replicas acknowledge writes too late, so that a failover may lose some: 1 or 0.',
    registers,
  });
  const storeHeld = new Gauge({
    name: 'gateway_store_held',
    help: 'Whether no job runs because the store may be an older copy: 1 or 0.',
    registers,
  });
  const missingKeys = new Gauge({
    name: 'gateway_sealing_key_missing',
    help: 'Sealing keys that this process has needed since its start and does not have: 1.',
    labelNames: ['key'],
    registers,
  });
  const lastReload = new Gauge({
    name: 'gateway_config_last_reload_successful',
    help: '0 if the process could not reload its configuration the last time it was asked to, and keeps the old one.',
    registers,
  });
  lastReload.set(1);
  const certificateEnd = new Gauge({
    name: 'gateway_listener_certificate_expiry_timestamp_seconds',
    help: 'When the certificate that the listener has ends. No sample without TLS.',
    registers,
  });
  certificateEnd.remove();

  return {
    ...sharedStateGauges(registry, options.scrapeTimeoutMs ?? 2000),
    requestFinished({ method, route, status, durationSeconds }) {
      const labels = { method, route, status };
      requests.inc(labels);
      requestDuration.observe(labels, durationSeconds);
    },
    upstreamCall({ service, operation, status, durationSeconds }) {
      upstreamCalls.inc({ service, operation, status: status ?? 'none' });
      upstreamDuration.observe({ service, operation }, durationSeconds);
    },
    oddRecord: ({ service, record }) => oddRecords.inc({ service, record }),
    listCompressed: ({ list, encoding }) => compressions.inc({ list, encoding }),
    cacheRead: ({ list, outcome }) => cacheReads.inc({ list, outcome }),
    jobBegun: ({ type, waitSeconds }) => jobWait.observe({ type }, waitSeconds),
    jobFinished({ type, outcome, cause, durationSeconds }) {
      jobs.inc({ type, outcome, cause });
      jobDuration.observe({ type, outcome }, durationSeconds);
    },
    stepFinished({ type, step, outcome, durationSeconds }) {
      stepDuration.observe({ type, step, outcome }, durationSeconds);
    },
    streamOpened(kind) {
      openStreams.inc();
      if (kind === 'project') listeners.inc();
    },
    streamClosed(kind) {
      openStreams.dec();
      if (kind === 'project') listeners.dec();
    },
    pollEnded: ({ type, outcome }) => polls.inc({ type, outcome }),
    firstBootEnded: ({ result, stage }) =>
      firstBoots.inc({ result, stage: firstBootStages.includes(stage) ? stage : OTHER_STAGE }),
    serviceUserLoggedIn: (outcome) => logIns.inc({ outcome }),
    delegationAsked: (outcome) => delegations.inc({ outcome }),
    webhookDelivered: (outcome, count) => webhooks.inc({ outcome }, count),
    sealingKeyMissing: (key) => missingKeys.set({ key }, 1),
    sealingKeyFound: (key) => missingKeys.remove({ key }),
    configReloaded: (isSuccessful) => lastReload.set(isSuccessful ? 1 : 0),
    listenerCertificateUsed: (end) => certificateEnd.set(end.getTime() / 1000),
    replicasLate: (areLate) => replicasLate.set(areLate ? 1 : 0),
    storeHeld: (isHeld) => storeHeld.set(isHeld ? 1 : 0),
    async metricsText() {
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}
