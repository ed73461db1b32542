import assert from 'node:assert/strict';
import { createMetrics, type Metrics, type QueueDepths } from '@gateway/platform';

/** The samples of a second scrape: in the first, counters are 0. */
async function samples(metrics: Metrics): Promise<string[]> {
  await metrics.metricsText();
  return scraped(metrics);
}

async function scraped(metrics: Metrics): Promise<string[]> {
  const { body } = await metrics.metricsText();
  return body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

function newMetrics(scrapeTimeoutMs?: number): Metrics {
  return createMetrics({
    processMetrics: false,
    ...(scrapeTimeoutMs === undefined ? {} : { scrapeTimeoutMs }),
  });
}

describe('metrics', () => {
  it('show the end of the certificate of a listener with TLS only', async () => {
    const metrics = newMetrics();
    const name = 'gateway_listener_certificate_expiry_timestamp_seconds';
    const shown = async () => (await scraped(metrics)).filter((line) => line.startsWith(name));

    const without = await shown();
    metrics.listenerCertificateUsed(new Date('2027-01-01T00:00:00Z'));

    assert.deepEqual(without, []);
    assert.deepEqual(await shown(), [`${name} ${Date.UTC(2027, 0, 1) / 1000}`]);
  });

  it('count requests by method, route and status, and their duration', async () => {
    const metrics = newMetrics();
    const request = { method: 'GET', route: '/api/volumes/:volume_id', status: 200 };

    metrics.requestFinished({ ...request, durationSeconds: 0.02 });
    metrics.requestFinished({ ...request, durationSeconds: 2 });
    metrics.requestFinished({ ...request, status: 404, durationSeconds: 0.02 });

    const labels = 'method="GET",route="/api/volumes/:volume_id"';
    const lines = await samples(metrics);
    assert(lines.includes(`gateway_http_requests_total{${labels},status="200"} 2`));
    assert(lines.includes(`gateway_http_requests_total{${labels},status="404"} 1`));
    assert(
      lines.includes(`gateway_http_request_duration_seconds_bucket{le="0.025",${labels},status="200"} 1`),
    );
    assert(lines.includes(`gateway_http_request_duration_seconds_sum{${labels},status="200"} 2.02`));
  });

  it('count upstream calls, also those without a response', async () => {
    const metrics = newMetrics();

    metrics.upstreamCall({ service: 'compute', operation: 'servers.list', status: 200, durationSeconds: 1 });
    metrics.upstreamCall({ service: 'compute', operation: 'servers.list', status: null, durationSeconds: 1 });

    const labels = 'service="compute",operation="servers.list"';
    const lines = await samples(metrics);
    assert(lines.includes(`gateway_upstream_calls_total{${labels},status="200"} 1`));
    assert(lines.includes(`gateway_upstream_calls_total{${labels},status="none"} 1`));
    assert(lines.includes(`gateway_upstream_call_duration_seconds_count{${labels}} 2`));
  });

  it("count service user log-ins, and measure jobs' waiting time", async () => {
    const metrics = newMetrics();

    metrics.serviceUserLoggedIn('refused');
    metrics.jobBegun({ type: 'instance.create', waitSeconds: 4 });

    const lines = await samples(metrics);
    assert(lines.includes('gateway_service_user_logins_total{outcome="refused"} 1'));
    assert(lines.includes('gateway_job_wait_seconds_sum{type="instance.create"} 4'));
  });

  it('show whether replicas of Redis are late', async () => {
    const metrics = newMetrics();
    assert((await samples(metrics)).includes('gateway_redis_replicas_late 0'));

    metrics.replicasLate(true);

    assert((await samples(metrics)).includes('gateway_redis_replicas_late 1'));
  });

  it('count cache reads, jobs and steps', async () => {
    const metrics = newMetrics();

    metrics.cacheRead({ list: 'volumes', outcome: 'shared_hit' });
    metrics.jobFinished({ type: 'instance.create', outcome: 'failed', cause: 'fault', durationSeconds: 20 });
    metrics.stepFinished({
      type: 'instance.create',
      step: 'BOOT_VOLUME_CREATING',
      outcome: 'undone',
      durationSeconds: 3,
    });

    const lines = await samples(metrics);
    const job = 'type="instance.create"';
    assert(lines.includes('gateway_cache_reads_total{list="volumes",outcome="shared_hit"} 1'));
    assert(lines.includes(`gateway_jobs_total{${job},outcome="failed",cause="fault"} 1`));
    assert(lines.includes(`gateway_job_duration_seconds_sum{${job},outcome="failed"} 20`));
    assert(
      lines.includes(
        `gateway_job_step_duration_seconds_sum{${job},step="BOOT_VOLUME_CREATING",outcome="undone"} 3`,
      ),
    );
  });

  it('are 0 when a series appears, for alerts', async () => {
    const metrics = newMetrics();
    metrics.jobFinished({ type: 'instance.create', outcome: 'failed', cause: 'fault', durationSeconds: 20 });
    const failed = 'gateway_jobs_total{type="instance.create",outcome="failed",cause="fault"}';
    const completed = 'gateway_jobs_total{type="instance.create",outcome="completed",cause="none"}';

    const first = await scraped(metrics);
    metrics.jobFinished({
      type: 'instance.create',
      outcome: 'completed',
      cause: 'none',
      durationSeconds: 20,
    });
    const second = await scraped(metrics);
    const third = await scraped(metrics);

    assert(first.includes(`${failed} 0`));
    assert(second.includes(`${failed} 1`) && second.includes(`${completed} 0`));
    assert(third.includes(`${failed} 1`) && third.includes(`${completed} 1`));
  });

  it('report the current numbers of streams and leftovers', async () => {
    const metrics = newMetrics();

    metrics.streamOpened('job');
    metrics.streamOpened('job');
    metrics.streamClosed('job');
    metrics.streamOpened('project');
    metrics.streamOpened('project');
    metrics.streamClosed('project');
    metrics.observeLeftovers(async () => 4);

    const lines = await samples(metrics);
    assert(lines.includes('gateway_open_streams 2'));
    assert(lines.includes('gateway_listeners 1'));
    assert(lines.includes('gateway_leftovers 4'));
  });

  it('report workers, Redis and clusters, each read once per scrape', async () => {
    const metrics = newMetrics();
    const reads: string[] = [];
    const load = { workers: 2, slots: 20, wantedSlots: 25, oldestWaitingSeconds: 1.5 };
    metrics.observeQueueLoad(async () => {
      reads.push('load');
      return { cleanup: load };
    });
    metrics.observeRedis(async () => {
      reads.push('redis');
      return {
        store: {
          isUp: false,
          refusals: { read_only: true, disk: false },
          memory: { usedBytes: 10, limitBytes: 100 },
        },
        cache: { isUp: true, refusals: null, memory: null },
      };
    });
    metrics.observeUpstream(async () => ({ compute: { inFlight: 32, waiting: 7 } }));
    metrics.observeClusters(async () => ({
      byHealth: { HEALTHY: 3, UNKNOWN: 0 },
      certificatesExpiring: 2,
      certificateDaysLeft: -1.5,
    }));
    metrics.observeFailedAutoBackups(async () => 4);
    metrics.observeWaitingAutoBackups(async () => 90);
    metrics.observeScheduledTasks(async () => ({
      sweep: { lastSuccessSeconds: 1_790_000_000.5, intervalSeconds: 60 },
    }));
    metrics.observeReadOnlyMode(async () => true);
    metrics.observeHeldJobs(async () => ({ lost_runs: 2, administrator: 0 }));

    const lines = await scraped(metrics);

    assert.deepEqual(reads.sort(), ['load', 'redis']);
    for (const line of [
      'gateway_queue_workers{queue="cleanup"} 2',
      'gateway_queue_slots{queue="cleanup"} 20',
      'gateway_queue_wanted_slots{queue="cleanup"} 25',
      'gateway_queue_oldest_waiting_seconds{queue="cleanup"} 1.5',
      'gateway_upstream_calls_in_flight{service="compute"} 32',
      'gateway_upstream_calls_waiting{service="compute"} 7',
      'gateway_redis_up{connection="store"} 0',
      'gateway_redis_up{connection="cache"} 1',
      'gateway_redis_refuses_writes{connection="store",reason="read_only"} 1',
      'gateway_redis_refuses_writes{connection="store",reason="disk"} 0',
      'gateway_redis_memory_used_bytes{connection="store"} 10',
      'gateway_redis_memory_limit_bytes{connection="store"} 100',
      'gateway_lite_clusters{health="HEALTHY"} 3',
      'gateway_lite_clusters{health="UNKNOWN"} 0',
      'gateway_lite_clusters_certificates_expiring 2',
      'gateway_lite_clusters_certificate_days_left -1.5',
      'gateway_auto_backups_failed 4',
      'gateway_maintenance_last_success_timestamp_seconds{task="sweep"} 1790000000.5',
      'gateway_auto_backups_oldest_waiting_seconds 90',
      'gateway_maintenance_interval_seconds{task="sweep"} 60',
      'gateway_jobs_held{reason="lost_runs"} 2',
      'gateway_jobs_held{reason="administrator"} 0',
      'gateway_read_only 1',
    ]) {
      assert(lines.includes(line), line);
    }
    for (const name of ['gateway_redis_refuses_writes', 'gateway_redis_memory_used_bytes'])
      assert(!lines.some((line) => line.startsWith(`${name}{connection="cache"`)));
  });

  it('have a registry of their own', async () => {
    const one = newMetrics();
    const other = newMetrics();

    one.streamOpened('job');

    assert((await samples(other)).includes('gateway_open_streams 0'));
  });

  it('have the labels of their gateway, whatever their kind', async () => {
    const origin = { gateway: 'north', region: 'RegionTwo' };
    const metrics = createMetrics({ origin });
    metrics.requestFinished({ method: 'GET', route: '/r', status: 200, durationSeconds: 1 });
    metrics.cacheRead({ list: 'images', outcome: 'miss' });
    metrics.observeLeftovers(async () => 1);
    metrics.observeQueueDepth(async () => ({ cleanup: { waiting: 1 } }));

    const lines = await samples(metrics);

    assert.ok(lines.some((line) => line.startsWith('gateway_leftovers{')));
    assert.ok(lines.some((line) => line.startsWith('process_cpu_seconds_total{')));
    for (const line of lines) assert.match(line, /gateway="north",region="RegionTwo"/);
  });

  it('include process metrics by default', async () => {
    const { contentType, body } = await createMetrics().metricsText();

    assert.match(contentType, /^text\/plain/);
    assert.match(body, /^process_resident_memory_bytes \d+$/m);
  });

  describe('of queues', () => {
    it('are computed at each scrape', async () => {
      const metrics = newMetrics();
      let depths: QueueDepths = { cleanup: { waiting: 3 }, maintenance: { waiting: 1 } };
      metrics.observeQueueDepth(async () => depths);
      await samples(metrics);
      depths = { cleanup: { waiting: 5, active: 1 } };

      const lines = await samples(metrics);

      assert(lines.includes('gateway_queue_jobs{queue="cleanup",state="waiting"} 5'));
      assert(lines.includes('gateway_queue_jobs{queue="cleanup",state="active"} 1'));
      assert(!lines.some((line) => line.includes('maintenance')));
    });

    for (const [what, read] of [
      ['fail', () => Promise.reject(new Error('unavailable'))],
      ['do not come in time', () => new Promise<never>(() => {})],
    ] as const) {
      it(`do not affect other metrics when they ${what}`, async () => {
        const metrics = newMetrics(10);
        metrics.observeLeftovers(async () => 1);
        metrics.observeQueueDepth(read);

        const lines = await samples(metrics);

        assert(lines.includes('gateway_leftovers 1'));
        assert.deepEqual(
          lines.filter((line) => line.startsWith('gateway_queue_jobs')),
          [],
        );
      });
    }
  });
});
