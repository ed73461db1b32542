import type { Registry } from 'prom-client';
import type { CloudChecks, Metrics, QueueLoads, RedisServers, TaskTimes, UpstreamLoads } from './events.ts';
import { type Sample, scrapeTimeGauges } from './scrape-time-gauges.ts';

/** Gauges of state that is read at scrape time, most of which all processes share. */
type SharedStateGauges = Pick<Metrics, Extract<keyof Metrics, `observe${string}`>>;

export function sharedStateGauges(registry: Registry, timeoutMs: number): SharedStateGauges {
  return {
    observeQueueDepth: scrapeTimeGauges(registry, timeoutMs, [
      {
        name: 'gateway_queue_jobs',
        help: 'Jobs in the queues, by state.',
        labelNames: ['queue', 'state'],
        samples: (depths) =>
          Object.entries(depths).flatMap(([queue, states]) =>
            Object.entries(states).map(([state, count]): Sample => [{ queue, state }, count]),
          ),
      },
    ]),
    observeQueueLoad: scrapeTimeGauges(registry, timeoutMs, [
      loadGauge('gateway_queue_workers', 'Live workers of the queue.', 'workers'),
      loadGauge('gateway_queue_slots', 'Jobs that the live workers of the queue can run at once.', 'slots'),
      loadGauge(
        'gateway_queue_wanted_slots',
        'Jobs of the queue that run, or could run at once if there were enough workers.',
        'wantedSlots',
      ),
      loadGauge(
        'gateway_queue_oldest_waiting_seconds',
        'Age of the oldest job that has not begun; 0 without one.',
        'oldestWaitingSeconds',
      ),
    ]),
    observeAuditStream: scrapeTimeGauges(registry, timeoutMs, [
      {
        name: 'gateway_audit_stream_waiting',
        help: 'Audit events that wait for the receiver of the stream.',
        labelNames: [],
        samples: ({ waiting }) => [[{}, waiting]],
      },
      {
        name: 'gateway_audit_stream_oldest_waiting_seconds',
        help: 'Time for which the first of them has waited; 0 if none waits.',
        labelNames: [],
        samples: ({ oldestSeconds }) => [[{}, oldestSeconds]],
      },
      {
        name: 'gateway_audit_stream_delivered',
        help: 'Audit events that the receiver has got, since the store is in use.',
        labelNames: [],
        samples: ({ delivered }) => [[{}, delivered]],
      },
      {
        name: 'gateway_audit_stream_dropped',
        help: 'Audit events that will not be sent, such as those beyond audit.stream.max_waiting, since the store is in use.',
        labelNames: [],
        samples: ({ dropped }) => [[{}, dropped]],
      },
    ]),
    observeLeftovers: scrapeTimeGauges(registry, timeoutMs, [
      {
        name: 'gateway_leftovers',
        help: 'Resources that could not be removed and wait for the next sweep.',
        labelNames: [],
        samples: (count) => [[{}, count]],
      },
    ]),
    observeHeldJobs: scrapeTimeGauges(registry, timeoutMs, [
      {
        name: 'gateway_jobs_held',
        help: 'Jobs that no worker runs until an administrator releases or cancels them, by reason.',
        labelNames: ['reason'],
        samples: (counts) => Object.entries(counts).map(([reason, count]): Sample => [{ reason }, count]),
      },
    ]),
    observeUpstream: scrapeTimeGauges(registry, timeoutMs, [
      upstreamGauge('gateway_upstream_calls_in_flight', 'Calls to cloud services in flight.', 'inFlight'),
      upstreamGauge('gateway_upstream_calls_waiting', 'Calls to cloud services that wait.', 'waiting'),
    ]),
    observeRedis: redisGauges(registry, timeoutMs),
    observeClusters: scrapeTimeGauges(registry, timeoutMs, [
      {
        name: 'gateway_lite_clusters',
        help: 'Lite clusters by the result of their last health check.',
        labelNames: ['health'],
        samples: ({ byHealth }) =>
          Object.entries(byHealth).map(([health, count]): Sample => [{ health }, count]),
      },
      {
        name: 'gateway_lite_clusters_certificates_expiring',
        help: 'Lite clusters with a certificate that ends within 30 days.',
        labelNames: [],
        samples: ({ certificatesExpiring }) => [[{}, certificatesExpiring]],
      },
      {
        name: 'gateway_lite_clusters_certificate_days_left',
        help: 'Days until the first certificate of any lite cluster ends. No sample if no end is known.',
        labelNames: [],
        samples: ({ certificateDaysLeft: days }) => (days === null ? [] : [[{}, days]]),
      },
    ]),
    observeLostCredentials: scrapeTimeGauges(registry, timeoutMs, [
      {
        name: 'gateway_lite_clusters_credential_lost',
        help: 'Lite clusters whose credential no longer works.',
        labelNames: [],
        samples: (count) => [[{}, count]],
      },
    ]),
    observeFailedAutoBackups: scrapeTimeGauges(registry, timeoutMs, [
      {
        name: 'gateway_auto_backups_failed',
        help: 'Auto backups whose last run failed.',
        labelNames: [],
        samples: (count) => [[{}, count]],
      },
    ]),
    observeWaitingAutoBackups: scrapeTimeGauges(registry, timeoutMs, [
      {
        name: 'gateway_auto_backups_oldest_waiting_seconds',
        help: 'Time for which the first due auto backup has waited for others to end; 0 if none waits.',
        labelNames: [],
        samples: (seconds) => [[{}, seconds]],
      },
    ]),
    observeWebhooks: scrapeTimeGauges(registry, timeoutMs, [
      {
        name: 'gateway_webhook_oldest_undelivered_seconds',
        help: 'Time for which the oldest event has waited for a webhook of the site or a project; 0 if none waits.',
        labelNames: ['owner'],
        samples: ({ projects, site }) => [
          [{ owner: 'project' }, projects],
          [{ owner: 'site' }, site],
        ],
      },
    ]),
    observeScheduledTasks: scrapeTimeGauges(registry, timeoutMs, [
      taskGauge(
        'gateway_maintenance_last_success_timestamp_seconds',
        'When the scheduled task last succeeded in any worker, in seconds since the epoch; 0: never.',
        'lastSuccessSeconds',
      ),
      taskGauge(
        'gateway_maintenance_interval_seconds',
        'Time between two runs of the scheduled task.',
        'intervalSeconds',
      ),
    ]),
    observePausedQueues: scrapeTimeGauges(registry, timeoutMs, [
      {
        name: 'gateway_queue_paused',
        help: 'Whether the queue is paused, so that no job of it begins: 1 or 0.',
        labelNames: ['queue'],
        samples: (paused) =>
          Object.entries(paused).map(([queue, isPaused]): Sample => [{ queue }, isPaused ? 1 : 0]),
      },
    ]),
    observeReadOnlyMode: scrapeTimeGauges(registry, timeoutMs, [
      {
        name: 'gateway_read_only',
        help: 'Whether the gateway accepts no changes, because of maintenance: 1 or 0.',
        labelNames: [],
        samples: (isReadOnly) => [[{}, isReadOnly ? 1 : 0]],
      },
    ]),
    observeClockOffset: scrapeTimeGauges(registry, timeoutMs, [
      {
        name: 'gateway_clock_offset_seconds',
        help: 'By how much the clock of this process is ahead of that of Redis.',
        labelNames: [],
        samples: (seconds) => [[{}, seconds]],
      },
    ]),
    observeCloudChecks: scrapeTimeGauges(registry, timeoutMs, [
      checkGauge(
        'gateway_service_user_works',
        'Whether the identity service has accepted the last log-in of the service user.',
        'serviceUserWorks',
      ),
      checkGauge(
        'gateway_service_user_is_administrator',
        "Whether the service user has the administrator's role in its project.",
        'serviceUserIsAdministrator',
      ),
      checkGauge(
        'gateway_region_in_catalog',
        'Whether the catalog of the cloud has services in the configured region.',
        'regionInCatalog',
      ),
    ]),
  };
}

function taskGauge(name: string, help: string, field: keyof TaskTimes[string]) {
  return {
    name,
    help,
    labelNames: ['task'],
    samples: (times: TaskTimes) =>
      Object.entries(times).map(([task, time]): Sample => [{ task }, time[field]]),
  };
}

/** Without a sample while the answer is not known. */
function checkGauge(name: string, help: string, field: keyof CloudChecks) {
  return {
    name,
    help: `${help} 1 or 0; no sample while unknown.`,
    labelNames: [],
    samples: ({ [field]: answer }: CloudChecks): Sample[] => (answer === null ? [] : [[{}, answer ? 1 : 0]]),
  };
}

function loadGauge(name: string, help: string, field: keyof QueueLoads[string]) {
  return {
    name,
    help,
    labelNames: ['queue'],
    samples: (loads: QueueLoads) =>
      Object.entries(loads).map(([queue, load]): Sample => [{ queue }, load[field]]),
  };
}

function upstreamGauge(name: string, help: string, field: keyof UpstreamLoads[string]) {
  return {
    name,
    help,
    labelNames: ['service'],
    samples: (loads: UpstreamLoads) =>
      Object.entries(loads).map(([service, load]): Sample => [{ service }, load[field]]),
  };
}

function redisGauges(registry: Registry, timeoutMs: number): SharedStateGauges['observeRedis'] {
  return scrapeTimeGauges(registry, timeoutMs, [
    {
      name: 'gateway_redis_up',
      help: 'Whether Redis accepts the writes of this process: 1 or 0.',
      labelNames: ['connection'],
      samples: (servers) =>
        Object.entries(servers).map(([connection, { isUp }]): Sample => [{ connection }, isUp ? 1 : 0]),
    },
    {
      name: 'gateway_redis_refuses_writes',
      help: 'Whether Redis answers this process but refuses its writes for the reason: 1 or 0.',
      labelNames: ['connection', 'reason'],
      samples: (servers) =>
        Object.entries(servers).flatMap(([connection, { refusals }]) =>
          Object.entries(refusals ?? {}).map(
            ([reason, isRefused]): Sample => [{ connection, reason }, isRefused ? 1 : 0],
          ),
        ),
    },
    {
      name: 'gateway_redis_memory_used_bytes',
      help: 'Memory that Redis uses; in a Cluster, of the fullest server.',
      labelNames: ['connection'],
      samples: (servers) => memorySamples(servers, 'usedBytes'),
    },
    {
      name: 'gateway_redis_memory_limit_bytes',
      help: 'The maxmemory of that server. No sample if it has none.',
      labelNames: ['connection'],
      samples: (servers) => memorySamples(servers, 'limitBytes'),
    },
  ]);
}

function memorySamples(servers: RedisServers, field: 'usedBytes' | 'limitBytes'): Sample[] {
  return Object.entries(servers).flatMap(([connection, { memory }]): Sample[] => {
    const value = memory?.[field] ?? null;
    return value === null ? [] : [[{ connection }, value]];
  });
}
