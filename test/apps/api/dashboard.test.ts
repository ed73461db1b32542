import assert from 'node:assert/strict';
import { type DashboardSummary, dashboardSummary, type UserDashboard } from '@gateway/resources';
import { newCaller } from '../../support/api/factories.ts';
import { cacheTtl } from '../../support/api/stored-data.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody, type ReplyOptions } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

interface Server {
  id: string;
  status: string;
  hostId: string;
  user_id: string;
  flavor: { original_name: string; vcpus: number; ram: number; extra_specs: Record<string, string> };
}

const [, server] = fixtureBody<[Server, Server]>('compute/servers', 'servers');
const [volume] = fixtureBody<[{ id: string; size: number; user_id: string }]>(
  'block-storage/volumes',
  'volumes',
);
const [share] = fixtureBody<[{ id: string; user_id: string }]>('shared-file-system/shares', 'shares');
/** The service fails, or refuses. */
const fails: ReplyOptions = { status: 500, body: '' };
const refuses: ReplyOptions = { status: 403, body: { forbidden: { code: 403, message: 'Not permitted.' } } };

function servers(...differences: Partial<Server>[]): ReplyOptions {
  return {
    body: {
      servers: differences.map((difference, index) => ({ ...server, id: `s${index}`, ...difference })),
    },
  };
}

const gpuFlavor = { ...server.flavor, extra_specs: { 'pci_passthrough:alias': 'a100:2' } };

describe('GET /api/dashboard/summary', () => {
  const suite = apiSuite();

  interface Replies {
    compute?: ReplyOptions;
    storage?: ReplyOptions;
    servers?: ReplyOptions;
  }

  function cloudIs({ compute = {}, storage = {}, servers: rows = compute }: Replies = {}): void {
    suite.cloud
      .reply('compute/servers', rows)
      .reply('block-storage/volumes', storage)
      .reply('compute/flavors', compute)
      .reply('image/images')
      .reply('compute/limits', compute)
      .reply('block-storage/limits', storage);
  }

  it('counts instances, limits, and the GPUs of those that hold resources', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    cloudIs({
      servers: servers(
        { status: 'ACTIVE', flavor: gpuFlavor },
        { status: 'SHUTOFF', flavor: gpuFlavor },
        { status: 'SHELVED_OFFLOADED', flavor: gpuFlavor },
        { status: 'ERROR', flavor: gpuFlavor, hostId: '' },
        { status: 'ERROR', flavor: gpuFlavor, hostId: 'abc' },
        { status: 'ACTIVE' },
      ),
    });

    const { status, body } = await api.get<DashboardSummary>('/api/dashboard/summary', { as: caller });

    assert.equal(status, 200);
    assert.deepEqual(body.instances, { total: 6, active: 2, shutoff: 1, error: 2 });
    assert.equal(body.gpu_used, 6);
    const limits = fixtureBody<{ absolute: Record<string, number> }>('compute/limits', 'limits').absolute;
    assert.deepEqual(body.compute, {
      instances: { limit: limits.maxTotalInstances, in_use: limits.totalInstancesUsed },
      cores: { limit: limits.maxTotalCores, in_use: limits.totalCoresUsed },
      ram: { limit: limits.maxTotalRAMSize, in_use: limits.totalRAMUsed },
    });
    const storage = fixtureBody<{ absolute: Record<string, number> }>(
      'block-storage/limits',
      'limits',
    ).absolute;
    assert.deepEqual(body.storage, {
      volumes: { limit: storage.maxTotalVolumes, in_use: storage.totalVolumesUsed },
      gigabytes: { limit: storage.maxTotalVolumeGigabytes, in_use: storage.totalGigabytesUsed },
    });
    assert.deepEqual(body.unavailable, []);
  });

  it('makes no call for cached lists, and is cached itself', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    cloudIs();
    await api.get('/api/instances', { as: caller });

    const first = await api.get('/api/dashboard/summary', { as: caller });
    const second = await api.get('/api/dashboard/summary', { as: caller });
    const etag = String(first.headers.etag);
    const third = await api.get('/api/dashboard/summary', { as: caller, headers: { 'if-none-match': etag } });

    assert.deepEqual([second.body, third.status], [first.body, 304]);
  });

  it('reads everything that it shows anew on request', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    cloudIs({ servers: servers({ status: 'ACTIVE' }) });
    await api.get('/api/dashboard/summary', { as: caller });
    const limits = fixtureBody<{ rate: unknown; absolute: Record<string, number> }>(
      'compute/limits',
      'limits',
    );
    const absolute = { ...limits.absolute, totalCoresUsed: 77 };
    suite.cloud
      .reply('compute/servers', servers({ status: 'ACTIVE' }, { status: 'ERROR' }))
      .reply('block-storage/volumes')
      .reply('compute/limits', { body: { limits: { ...limits, absolute } } })
      .reply('block-storage/limits');

    const { body } = await api.get<DashboardSummary>('/api/dashboard/summary?refresh=true', { as: caller });

    assert.deepEqual(body.instances, { total: 2, active: 1, shutoff: 0, error: 1 });
    assert.equal(body.compute?.cores.in_use, 77);
  });

  for (const [what, row] of [
    [
      'an instance changes its state',
      { 'OS-EXT-STS:task_state': 'powering-off', updated: new Date().toISOString() },
    ],
    ['everything is settled', { 'OS-EXT-STS:task_state': null }],
  ] as const) {
    it(`is kept ${what.startsWith('an') ? 'for a moment' : 'for half a minute'} while ${what}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      cloudIs({ servers: servers({ status: 'ACTIVE', ...row } as Partial<Server>) });
      await api.get('/api/dashboard/summary', { as: caller });

      const ttl = await cacheTtl(api, dashboardSummary, caller);

      assert.ok(what.startsWith('an') ? ttl <= 1 : ttl > 20, String(ttl));
    });
  }

  it('omits and names a failing service, and soon retries it', async () => {
    for (const [name, differences, expected] of [
      ['compute', { compute: fails }, ['instances', 'compute', 'gpu_used']],
      ['blockStorage', { storage: fails }, ['storage']],
      ['compute', { compute: refuses }, ['instances', 'compute', 'gpu_used']],
      ['blockStorage', { storage: refuses }, ['storage']],
    ] as const) {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      cloudIs(differences);

      const { status, body } = await api.get<DashboardSummary>('/api/dashboard/summary', { as: caller });

      assert.equal(status, 200);
      const missing = Object.entries(body).filter(([, part]) => part === null);
      assert.deepEqual([missing.map(([part]) => part), body.unavailable], [expected, [name]]);
      assert.ok((await cacheTtl(api, dashboardSummary, caller)) <= 1);
    }
  });

  it('does not wait for a slow service, whose response serves later readers', async () => {
    const api = await suite.start({ settings: { time_limits: { dashboard_part_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud
      .reply('compute/servers')
      .reply('block-storage/volumes')
      .reply('compute/flavors')
      .reply('image/images')
      .reply('compute/limits')
      .reply('block-storage/limits', { delayMs: 2_000 });

    const { body } = await api.get<DashboardSummary>('/api/dashboard/summary', { as: caller });

    assert.deepEqual([body.storage, body.unavailable], [null, ['blockStorage']]);
    assert.ok(body.instances && body.compute);
    await eventually(async () => {
      const next = await api.get<DashboardSummary>('/api/dashboard/summary', { as: caller });
      return next.body.storage === null ? undefined : true;
    });
  });
});

describe('GET /api/user-dashboard', () => {
  const suite = apiSuite();
  const caller = newCaller();
  const mine = { user_id: caller.userId };
  const others = { user_id: 'somebody-else' };

  interface Replies {
    network?: ReplyOptions;
    shares?: ReplyOptions | null;
  }

  function cloudIs({ network, shares = {} }: Replies = {}): void {
    const rows = [
      { ...share, ...mine, id: 'a', size: 3 },
      { ...share, ...others, id: 'b' },
    ];
    const { projectId } = caller;
    const path = (kind: string) => `/v2.0/${kind}?project_id=${projectId}`;
    suite.cloud
      .reply('compute/servers', servers({ ...mine, status: 'ACTIVE' }, { ...mine, status: 'ERROR' }, others))
      .reply('block-storage/volumes', {
        times: 2,
        body: {
          volumes: [
            { ...volume, ...mine, size: 7 },
            { ...volume, ...others, id: 'v2' },
          ],
        },
      })
      .reply('compute/flavors')
      .reply('image/images')
      .reply('network/networks', {
        path: path('networks'),
        body: {
          networks: [
            { id: 'n1', project_id: projectId },
            { id: 'n2', project_id: 'another' },
          ],
        },
        ...network,
      })
      .reply('network/floating-ips', {
        path: path('floatingips'),
        body: {
          floatingips: [
            { id: 'f1', project_id: projectId },
            { id: 'f2', project_id: projectId },
          ],
        },
        ...network,
      });
    if (shares === null) return;
    suite.cloud.reply('shared-file-system/shares', { body: { shares: rows, count: 2 }, ...shares });
    if (shares.status !== undefined) return;
    const paths = rows.map(({ id }) => ({ id, export_locations: [] }));
    suite.cloud.reply('shared-file-system/share-export-paths', { body: { shares: paths } });
  }

  it('shows what the caller has created, and its totals', async () => {
    const api = await suite.start();
    suite.cloud.validCaller(caller);
    cloudIs();

    const { status, body } = await api.get<UserDashboard>('/api/user-dashboard', { as: caller });

    assert.equal(status, 200);
    assert.deepEqual(
      [body.instances, body.volumes, body.file_storages].map((rows) => rows?.map(({ id }) => id)),
      [['s0', 's1'], [volume.id], ['a']],
    );
    assert.deepEqual(body.summary, {
      instances: { total: 2, active: 1, shutoff: 0, error: 1 },
      vcpus: 2 * server.flavor.vcpus,
      ram: 2 * server.flavor.ram,
      volumes: { total: 1, total_gb: 7 },
      file_storages: { total: 1, total_gb: 3 },
      networks: 1,
      floating_ips: 2,
    });
  });

  it("is each user's own, made of lists that the project shares", async () => {
    const api = await suite.start();
    suite.cloud.validCaller(caller);
    cloudIs();
    await api.get('/api/user-dashboard', { as: caller });
    const other = suite.cloud.validCaller(newCaller({ userId: 'somebody-else' }));
    suite.cloud
      .reply('network/networks', { path: `/v2.0/networks?project_id=${caller.projectId}` })
      .reply('network/floating-ips', { path: `/v2.0/floatingips?project_id=${caller.projectId}` });

    const { body } = await api.get<UserDashboard>('/api/user-dashboard', { as: other });
    const again = await api.get<UserDashboard>('/api/user-dashboard', { as: caller });

    assert.deepEqual(
      body.instances?.map(({ id }) => id),
      ['s2'],
    );
    assert.deepEqual(
      again.body.instances?.map(({ id }) => id),
      ['s0', 's1'],
    );
  });

  it('leaves out file storages where they are switched off', async () => {
    const api = await suite.start({ settings: { services: { shared_fs: false } } });
    suite.cloud.validCaller(caller);
    cloudIs({ shares: null });

    const { body } = await api.get<UserDashboard>('/api/user-dashboard', { as: caller });

    assert.deepEqual(
      [body.file_storages, body.summary.file_storages, body.unavailable],
      [[], { total: 0, total_gb: 0 }, []],
    );
  });

  it('answers without the services that fail', async () => {
    const api = await suite.start();
    suite.cloud.validCaller(caller);
    cloudIs({ network: fails, shares: fails });

    const { status, body } = await api.get<UserDashboard>('/api/user-dashboard', { as: caller });

    assert.equal(status, 200);
    assert.deepEqual(body.unavailable, ['network', 'sharedFileSystem']);
    const { networks, floating_ips, file_storages, instances } = body.summary;
    assert.deepEqual(
      [body.file_storages, file_storages, networks, floating_ips, instances?.total],
      [null, null, null, null, 2],
    );
  });
});
