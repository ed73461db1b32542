import assert from 'node:assert/strict';
import { GatewayError } from '@gateway/core';
import type { GpuRecords } from '@gateway/inventory';
import type { BoundClient } from '@gateway/openstack';
import { createLogger } from '@gateway/platform';
import { NearlyFullQuotas, webhookKeys } from '@gateway/webhooks';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { reportNearlyFullQuotas } from '../../../apps/worker/src/maintenance/report-nearly-full-quotas.ts';
import { parseMessage, WebhooksInRedis } from '../../packages/webhooks/webhooks-in-redis.ts';
import { serverOf } from '../../support/api/compute.ts';
import { captureLogLines, type LogLines } from '../../support/api/log-lines.ts';

type Figures = Record<string, { limit?: number | null; in_use?: number | null }>;

const TYPE = 'quota.nearly_full';

describe('the quotas that are nearly full', () => {
  let world: WebhooksInRedis;
  let nearlyFullQuotas: NearlyFullQuotas;
  let lines: LogLines;
  let projects: { id: string; name: string }[];
  /** What the services say, by service and project. */
  let figures: Record<string, Record<string, Figures>>;
  let failing: Set<string>;
  /** Each read of a quota: the service and the project. */
  let reads: string[];
  let onRead: () => Promise<void>;
  let roles: string[];
  let gpuRecords: GpuRecords;
  /** The flavors of the servers of project p1. */
  let flavors: string[];

  beforeEach(async () => {
    world = new WebhooksInRedis();
    await world.open();
    nearlyFullQuotas = new NearlyFullQuotas(world.redis);
    lines = captureLogLines();
    projects = [
      { id: 'p1', name: 'one' },
      { id: 'p2', name: 'two' },
    ];
    figures = {};
    failing = new Set();
    reads = [];
    onRead = async () => {};
    roles = ['admin'];
    gpuRecords = { limits: {}, defaults: {}, reserved: [] };
    flavors = [];
  });
  afterEach(() => world.close());

  const read = (service: string) => async (projectId: string) => {
    reads.push(`${service} ${projectId}`);
    await onRead();
    if (failing.has(service)) throw new GatewayError(503, 'upstream_unavailable', 'Unavailable.');
    return figures[service]?.[projectId] ?? {};
  };

  const listAs: BoundClient['compute']['servers']['listAs'] = async (present, query) => {
    reads.push(`servers ${query?.project_id}`);
    const extra_specs = { 'pci_passthrough:alias': 'l40s:2' };
    return flavors.map((original_name) => present(serverOf({ flavor: { original_name, extra_specs } })));
  };

  function run(more: Partial<WorkerContext> = {}): Promise<void> {
    const openstack = {
      has: () => true,
      identity: { projects: { list: async () => [...projects] } },
      compute: { quotas: { get: read('compute') }, servers: { listAs } },
      blockStorage: { quotas: { get: read('blockStorage') } },
      network: { quotas: { getUsage: read('network') } },
      sharedFileSystem: { quotas: { getUsage: read('sharedFileSystem') } },
      loadBalancer: { quotas: { getUsage: read('loadBalancer') } },
    } as unknown as BoundClient;
    return reportNearlyFullQuotas({
      config: {
        gpu: { devices: [] },
        identity: { adminRole: 'admin' },
        services: { sharedFs: true },
        timeLimits: { dashboardPartSeconds: 60 },
      },
      gpuQuotas: { readProject: async () => gpuRecords },
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, lines.stream),
      metrics: { webhookDelivered() {} },
      nearlyFullQuotas,
      serviceAccount: { identity: async () => ({ roles }), bind: async () => openstack },
      stopping: new AbortController(),
      webhooks: world.store,
      ...more,
    } as unknown as WorkerContext);
  }

  const cores = (in_use: number, limit = 100) => {
    figures.compute = { p1: { cores: { limit, in_use } } };
  };
  /** What a webhook gets, oldest first. */
  async function stored(id: string): Promise<Record<string, unknown>[]> {
    return (await world.store.deliveries(id, 100)).reverse().map(({ body, eventId }) => {
      const { data, type } = parseMessage(body);
      assert.equal(type, TYPE);
      return { ...data, id: eventId };
    });
  }
  const usesOf = async (id: string) => (await stored(id)).map((event) => event.in_use);

  it('are reported with project, service, use and limit', async () => {
    const { id } = await world.create(1);
    cores(16, 20);

    await run();

    const [event, ...others] = await stored(id);
    assert.deepEqual(others, []);
    const { id: eventId, ...data } = event ?? {};
    assert.deepEqual(data, {
      ...{ project_id: 'p1', project_name: 'one', service: 'compute', quota: 'cores' },
      ...{ in_use: 16, limit: 20 },
    });
    assert.match(String(eventId), /^p1_quota_compute_cores_\d+$/);
  });

  it('are reported once at 80 %, and again after less than 75', async () => {
    const { id } = await world.create(1);
    const uses: [use: number, reported: number[]][] = [
      [79, []],
      [80, [80]],
      [100, [80]],
      [75, [80]],
      [81, [80]],
      [74, [80]],
      [79, [80]],
      [82, [80, 82]],
    ];
    for (const [use, reported] of uses) {
      cores(use);

      await run();

      assert.deepEqual(await usesOf(id), reported, `at ${use}`);
    }
    const ids = (await stored(id)).map((event) => event.id);
    assert.equal(new Set(ids).size, 2);
  });

  it('are reported again after the limit was raised or removed', async () => {
    const { id } = await world.create(1);
    for (const [use, limit] of [
      [9, 10],
      [9, 20],
      [18, 20],
      [18, -1],
      [18, 20],
    ] as const) {
      cores(use, limit);
      await run();
    }

    assert.deepEqual(await usesOf(id), [9, 18, 18]);
  });

  it('are none that are unlimited, 0, or not said', async () => {
    const { id } = await world.create(1);
    figures.compute = {
      p1: {
        cores: { limit: -1, in_use: 1_000_000 },
        ram: { limit: 0, in_use: 0 },
        instances: { limit: 0, in_use: 3 },
        server_groups: {},
        key_pairs: { limit: null, in_use: null },
      },
    };
    figures.network = { p1: { routers: { limit: 1, in_use: 1 } } };

    await run();

    assert.deepEqual(
      (await stored(id)).map((event) => event.quota),
      ['routers'],
    );
  });

  it('are those on GPUs, where a limit applies', async () => {
    const { id } = await world.create(1, { projectId: null });
    flavors = ['gpu.large', 'gpu.large'];
    await run();
    assert.ok(!reads.some((one) => one.startsWith('servers')));
    gpuRecords.limits = { l40s: { type: 'l40s', limit: 5 } };
    projects.pop();

    await run();
    await run();

    const [event, ...others] = await stored(id);
    assert.deepEqual(others, []);
    const { service, quota, in_use, limit } = event ?? {};
    assert.deepEqual(
      { service, quota, in_use, limit },
      { service: 'compute', quota: 'gpu:l40s', in_use: 4, limit: 5 },
    );
    assert.match(String(event?.id), /^p1_quota_compute_gpu%3Al40s_\d+$/);
    assert.equal(reads.filter((one) => one === 'servers p1').length, 2);
  });

  it('are those of other services while one fails, and are not repeated', async () => {
    const { id } = await world.create(1);
    const full = { limit: 10, in_use: 10 };
    figures = { blockStorage: { p1: { volumes: full } }, network: { p1: { ports: full } } };
    const quotas = async () => (await stored(id)).map((event) => event.quota);

    failing = new Set(['network']);
    await run();
    assert.deepEqual(await quotas(), ['volumes']);
    failing = new Set(['blockStorage']);
    await run();
    failing = new Set();
    await run();

    assert.deepEqual(await quotas(), ['volumes', 'ports']);
    const logged = lines.withMessage('Webhooks do not learn of the quotas of a service yet');
    assert.deepEqual(
      logged.map(({ services }) => services),
      [{ network: 1 }, { blockStorage: 1 }],
    );
  });

  it('are read only in projects of which a webhook learns', async () => {
    const readProjects = async () => {
      reads = [];
      await run();
      return [...new Set(reads.map((one) => one.split(' ')[1]))].sort();
    };
    await world.create(1, { events: ['job.failed'] });
    await world.create(1, { enabled: false, projectId: 'p2' });
    await world.create(1, { enabled: false, projectId: null });
    assert.deepEqual(await readProjects(), []);
    await world.create(1, { events: ['job.failed', TYPE], projectId: 'p2' });
    await world.create(1, { projectId: 'gone' });
    assert.deepEqual(await readProjects(), ['p2']);
    await world.create(1, { events: [TYPE], projectId: null });
    assert.deepEqual(await readProjects(), ['p1', 'p2']);

    assert.equal(reads.length, 10, 'one read for each service and project');
  });

  it('are reported to webhooks of the site and of their project', async () => {
    const site = await world.create(1, { projectId: null });
    const own = await world.create(1);
    const other = await world.create(1, { projectId: 'p2' });
    cores(90);

    await run();

    assert.deepEqual([await usesOf(site.id), await usesOf(own.id), await usesOf(other.id)], [[90], [90], []]);
    assert.deepEqual(
      (await stored(site.id)).map((event) => event.id),
      (await stored(own.id)).map((event) => event.id),
    );
  });

  it('are not read by a service user that is no administrator', async () => {
    await world.create(1);
    roles = ['member'];

    await run();

    assert.deepEqual(reads, []);
  });

  it('have the same id and figures when a worker dies meanwhile', async () => {
    const { id } = await world.create(1);
    const died = () => Promise.reject(new Error('died'));
    const dying = (methods: Partial<NearlyFullQuotas>): NearlyFullQuotas =>
      Object.assign(new NearlyFullQuotas(world.redis), methods);
    cores(90);
    const begin: NearlyFullQuotas['begin'] = (...given) => nearlyFullQuotas.begin(...given).then(died);
    await run({ nearlyFullQuotas: dying({ begin }) });
    assert.deepEqual(await usesOf(id), []);
    const [begun] = (await nearlyFullQuotas.read('p1')).values();
    cores(95);
    await run({ nearlyFullQuotas: dying({ setReported: died }) });
    cores(60);
    await run();

    assert.deepEqual(
      (await stored(id)).map((event) => [event.id, event.in_use]),
      [[`p1_quota_compute_cores_${begun?.at}`, 90]],
    );
    const logged = lines.withMessage('Webhooks do not learn of the quotas of a project yet');
    assert.equal(logged.length, 2);
    await run();
    assert.equal((await nearlyFullQuotas.read('p1')).size, 0, 'it has fallen');
  });

  it('are those of other projects if the record of one is unreadable', async () => {
    const { id } = await world.create(1, { projectId: null });
    figures.compute = { p1: { cores: { limit: 1, in_use: 1 } }, p2: { cores: { limit: 1, in_use: 1 } } };
    await world.redis.hset(webhookKeys.nearlyFull('p2'), 'compute:cores', 'odd');

    await run();

    assert.deepEqual(
      (await stored(id)).map((event) => event.project_id),
      ['p1'],
    );
    const [line] = lines.withMessage('Webhooks do not learn of the quotas of a project yet');
    assert.equal(line?.projects, 1);
  });

  it('are read in four projects at once', async () => {
    await world.create(1, { projectId: null });
    projects = Array.from({ length: 20 }, (_, n) => ({ id: `p${n}`, name: '' }));
    const active = new Map<string, number>();
    let most = 0;
    onRead = async () => {
      const project = reads.at(-1)?.split(' ')[1] ?? '';
      active.set(project, (active.get(project) ?? 0) + 1);
      most = Math.max(most, active.size);
      await new Promise((resolve) => setImmediate(resolve));
      const left = (active.get(project) ?? 0) - 1;
      if (left > 0) active.set(project, left);
      else active.delete(project);
    };

    await run();

    assert.equal(most, 4);
    assert.equal(reads.length, 100);
  });

  it('are left to the next run when the process stops', async () => {
    await world.create(1, { projectId: null });
    projects = Array.from({ length: 20 }, (_, n) => ({ id: `p${n}`, name: '' }));
    const stopping = new AbortController();
    onRead = async () => stopping.abort();

    await run({ stopping });

    // Those that were begun at once.
    assert.equal(new Set(reads.map((one) => one.split(' ')[1])).size, 4);
    assert.equal(lines.text(), '');
  });
});
