import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { leftoversGauge, queueDepthGauge } from './asked-gauges.ts';
import type { Metrics } from './events.ts';
import { labelled } from './labelled.ts';
import { tally } from './tally.ts';

export interface MetricsOptions {
  /** Also memory, processor time, event loop and garbage collection of this process; true by default. */
  processMetrics?: boolean;
  /** Longest wait for the queue depths at a scrape; 2000 by default. */
  scrapeTimeoutMs?: number;
}

/** From a cache hit to a synchronous read of a slow cloud. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** From a clean-up to a cluster. */
const WORK_BUCKETS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600];

/** The metrics of one process, in a registry of their own. */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.processMetrics !== false) collectDefaultMetrics({ register: registry });

  function counter(name: string, help: string, labelNames: string[]) {
    return labelled(new Counter({ name, help, labelNames, registers }));
  }
  function histogram(name: string, help: string, labelNames: string[], buckets: number[]) {
    return labelled(new Histogram({ name, help, labelNames, buckets, registers }));
  }

  const requests = tally(registry, 'gateway_http_requests_total', 'Requests answered.', [
    'method',
    'route',
    'status',
  ]);
  const requestDuration = histogram(
    'gateway_http_request_duration_seconds',
    'Time from a request to the end of its answer.',
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
    'Time that a call to a cloud service took.',
    ['service', 'operation'],
    REQUEST_BUCKETS,
  );
  const cacheReads = tally(registry, 'gateway_cache_reads_total', 'Reads of cached lists.', [
    'list',
    'outcome',
  ]);
  const jobs = counter('gateway_jobs_total', 'Jobs that have ended.', ['type', 'outcome']);
  const jobDuration = histogram(
    'gateway_job_duration_seconds',
    'Time from asking for a job to its end.',
    ['type', 'outcome'],
    WORK_BUCKETS,
  );
  const stepDuration = histogram(
    'gateway_job_step_duration_seconds',
    'Time that a step of a job took.',
    ['type', 'step', 'outcome'],
    WORK_BUCKETS,
  );
  const openStreams = new Gauge({ name: 'gateway_open_streams', help: 'Event streams now open.', registers });
  const scrapeTimeoutMs = options.scrapeTimeoutMs ?? 2000;
  const leftovers = leftoversGauge(registry, scrapeTimeoutMs);
  const queueDepth = queueDepthGauge(registry, scrapeTimeoutMs);

  return {
    requestFinished({ method, route, status, durationSeconds }) {
      requests(method, route, status);
      requestDuration(method, route, status).observe(durationSeconds);
    },
    upstreamCall({ service, operation, status, durationSeconds }) {
      upstreamCalls(service, operation, status ?? 'none').inc();
      upstreamDuration(service, operation).observe(durationSeconds);
    },
    cacheRead: ({ list, outcome }) => cacheReads(list, outcome),
    jobFinished({ type, outcome, durationSeconds }) {
      jobs(type, outcome).inc();
      jobDuration(type, outcome).observe(durationSeconds);
    },
    stepFinished({ type, step, outcome, durationSeconds }) {
      stepDuration(type, step, outcome).observe(durationSeconds);
    },
    streamOpened: () => openStreams.inc(),
    streamClosed: () => openStreams.dec(),
    observeLeftovers: (read) => leftovers.readWith(read),
    observeQueueDepth: (read) => queueDepth.readWith(read),
    async metricsText() {
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}
