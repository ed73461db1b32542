import assert from 'node:assert/strict';
import { alertRules, dashboardQueries, readText } from '../deploy/deploy-files.ts';
import { readExposition } from '../deploy/exposed-metrics.ts';
import { readQuery } from '../deploy/promql.ts';
import { JobWatcher } from '../support/clients/job-watcher.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { startTestStack } from '../support/stacks/test-stack.ts';

const ORIGIN = 'gateway="north",region="RegionOne"';

describe('the metrics of running processes', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let api: string;
  let worker: string;

  before(async () => {
    simulated = await SimulatedStack.start({ own: true, env: { GATEWAY_NAME: 'north' } });
    const { gateway, request, stack } = simulated;
    const watcher = new JobWatcher();
    await watcher.readEvents(await gateway.createInstance(request));
    assert.equal(watcher.last?.step, 'COMPLETED', watcher.last?.error ?? '');
    api = await scrape(`${stack.url}/api/metrics`);
    // The worker counts a job after its last event.
    worker = await eventually(async () => {
      const text = await scrape(`${stack.workers[0]?.url}/metrics`);
      assert.ok(
        sampleOf(text, 'gateway_jobs_total{type="instance.create",outcome="completed",cause="none"}') > 0,
      );
      return text;
    });
  });
  after(async () => {
    await simulated?.restore();
    await simulated?.stop();
  });

  async function scrape(url: string): Promise<string> {
    return (await fetch(url)).text();
  }

  /** The value of a sample, which is named without the labels of the gateway. */
  function sampleOf(text: string, sample: string): number {
    const value = text
      .split('\n')
      .map((line) => line.replace(ORIGIN, '').replace(/,(?=\})|(?<=\{),|\{\}/g, ''))
      .find((line) => line.startsWith(`${sample} `))
      ?.slice(sample.length);
    assert.ok(value, `no sample ${sample}`);
    return Number(value);
  }

  it('name their gateway and region in every sample and log line', () => {
    for (const text of [api, worker]) {
      const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      assert.deepEqual(
        samples.filter((sample) => !sample.includes(ORIGIN)),
        [],
      );
    }
    for (const { logs } of [...simulated.stack.apis, ...simulated.stack.workers]) {
      const lines = logs().filter((line) => line.startsWith('{'));
      assert.ok(lines.length > 0);
      for (const line of lines) {
        const { gateway, region } = JSON.parse(line) as Record<string, unknown>;
        assert.deepEqual({ gateway, region }, { gateway: 'north', region: 'RegionOne' });
      }
    }
  });

  it('include all that the alert rules and the dashboard read', () => {
    const exposed = [readExposition(api), readExposition(worker)];
    const queries = [...alertRules(), ...dashboardQueries()].map(({ expr }) => readQuery(expr));
    const read = new Set(queries.flatMap(({ selectors }) => selectors.map(({ metric }) => metric)));
    read.delete('up');

    assert.ok(read.size > 20);
    for (const metrics of exposed) {
      assert.deepEqual(
        [...read].filter((metric) => !metrics.has(metric)),
        [],
      );
    }
  });

  it('are the ones that operators find in the documentation', () => {
    const names = [...api.matchAll(/^# TYPE (gateway_\w+) /gm)].map(([, name]) => name);
    const section = readText('docs/operations.md').split('\n## Metrics\n')[1]?.split('\n## ')[0] ?? '';
    const documented = [...section.matchAll(/`(gateway_\w+)`/g)].map(([, name]) => name);

    assert.deepEqual([...new Set(documented)].sort(), names.sort());
  });

  it('show the shared state at every api', () => {
    assert.equal(sampleOf(api, 'gateway_queue_workers{queue="provisioning"}'), 1);
    assert.equal(sampleOf(api, 'gateway_queue_slots{queue="provisioning"}'), 10);
    assert.equal(sampleOf(api, 'gateway_queue_wanted_slots{queue="provisioning"}'), 0);
    assert.equal(sampleOf(api, 'gateway_queue_oldest_waiting_seconds{queue="provisioning"}'), 0);
    assert.equal(sampleOf(api, 'gateway_leftovers'), 0);
    assert.equal(sampleOf(api, 'gateway_lite_clusters{health="HEALTHY"}'), 0);
    assert.ok(sampleOf(api, 'gateway_redis_memory_used_bytes{connection="store"}') > 0);
    assert.equal(sampleOf(api, 'gateway_redis_up{connection="store"}'), 1);
  });

  it("report a job's waiting time and its completion at a worker", () => {
    assert.equal(sampleOf(worker, 'gateway_job_wait_seconds_count{type="instance.create"}'), 1);
    assert.equal(
      sampleOf(worker, 'gateway_jobs_total{type="instance.create",outcome="completed",cause="none"}'),
      1,
    );
    assert.equal(sampleOf(worker, 'gateway_redis_up{connection="store"}'), 1);
  });

  it('are refused by a worker to addresses that may not read them', async () => {
    const refusing = await startTestStack({ config: { metrics: { allowed_from: ['192.0.2.0/24'] } } });
    try {
      const url = refusing.workers[0]?.url;
      assert.equal((await fetch(`${url}/metrics`)).status, 403);
      assert.equal((await fetch(`${url}/health`)).status, 200);
    } finally {
      await refusing.stop();
    }
  });

  it('show that no worker is left when the last has stopped', async () => {
    await simulated.stack.workers[0]?.stop();

    await eventually(async () => {
      const text = await scrape(`${simulated.stack.url}/api/metrics`);
      return sampleOf(text, 'gateway_queue_workers{queue="provisioning"}') === 0;
    });
    await simulated.stack.addWorker();
  });
});
