import assert from 'node:assert/strict';
import type { BoundClient } from '@gateway/openstack';
import { mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { call, recordedIdentity, testCloud } from './cloud.ts';

const OWN = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);
const inProject = { all_tenants: 1, project_id: OWN } as const;
const administrator = { ...recordedIdentity(), roles: ['admin'] };

interface Ignored {
  /** A recorded response of the service, for its address. */
  fixture: string;
  /** The list in the body, of which the service returns all rows. */
  key: string;
  rows: [asked: object, other: object];
  list(client: BoundClient): Promise<readonly unknown[]>;
}

/** Lists with a filter that the service has ignored. */
const IGNORED: Record<string, Ignored> = {
  'instances of a project': {
    fixture: 'compute/servers',
    key: 'servers',
    rows: [{ tenant_id: OWN }, { tenant_id: OTHER }],
    list: ({ compute }) => compute.servers.list(inProject),
  },
  'instances of a project, mapped as they arrive': {
    fixture: 'compute/servers',
    key: 'servers',
    rows: [{ tenant_id: OWN }, { tenant_id: OTHER }],
    list: ({ compute }) => compute.servers.listAs(({ id }) => ({ id }), inProject),
  },
  'instances of a host': {
    fixture: 'compute/servers',
    key: 'servers',
    rows: [{ 'OS-EXT-SRV-ATTR:host': 'one' }, { 'OS-EXT-SRV-ATTR:host': 'two' }],
    list: ({ compute }) => compute.servers.list({ all_tenants: 1, host: 'one' }),
  },
  'a page of instances': {
    fixture: 'compute/servers',
    key: 'servers',
    rows: [{ tenant_id: OWN }, { tenant_id: OTHER }],
    list: async ({ compute }) => (await compute.servers.listPage({ ...inProject, limit: 10 })).items,
  },
  'volumes of a project': {
    fixture: 'block-storage/volumes',
    key: 'volumes',
    rows: [{ 'os-vol-tenant-attr:tenant_id': OWN }, { 'os-vol-tenant-attr:tenant_id': OTHER }],
    list: ({ blockStorage }) => blockStorage.volumes.list(inProject),
  },
  'volumes with a mark': {
    fixture: 'block-storage/volumes',
    key: 'volumes',
    rows: [{ metadata: { mark: 'x', more: 'y' } }, { metadata: { mark: 'z' } }],
    list: ({ blockStorage }) => blockStorage.volumes.list({ metadata: JSON.stringify({ mark: 'x' }) }),
  },
  'snapshots of a volume': {
    fixture: 'block-storage/snapshots',
    key: 'snapshots',
    rows: [{ volume_id: 'one' }, { volume_id: 'two' }],
    list: ({ blockStorage }) => blockStorage.snapshots.list({ volume_id: 'one' }),
  },
  'backups of a project': {
    fixture: 'block-storage/backups',
    key: 'backups',
    rows: [{ 'os-backup-project-attr:project_id': OWN }, { 'os-backup-project-attr:project_id': OTHER }],
    list: ({ blockStorage }) => blockStorage.backups.list(inProject),
  },
  'shares of a project': {
    fixture: 'shared-file-system/shares',
    key: 'shares',
    rows: [{ project_id: OWN }, { project_id: OTHER }],
    list: ({ sharedFileSystem }) => sharedFileSystem.shares.list(inProject),
  },
  'snapshots of shares of a project': {
    fixture: 'shared-file-system/shares',
    key: 'snapshots',
    rows: [{ project_id: OWN }, { project_id: OTHER }],
    list: ({ sharedFileSystem }) => sharedFileSystem.snapshots.list(inProject),
  },
  'networks of a project': {
    fixture: 'network/networks',
    key: 'networks',
    rows: [{ project_id: OWN }, { project_id: OTHER }],
    list: ({ network }) => network.networks.list({ project_id: OWN }),
  },
  'some fields of the routers of a project': {
    fixture: 'network/networks',
    key: 'routers',
    rows: [{ project_id: OWN }, { project_id: OTHER }],
    list: ({ network }) => network.routers.listFields(['id'], ({ id }) => ({ id }), { project_id: OWN }),
  },
  'ports of two devices': {
    fixture: 'network/networks',
    key: 'ports',
    rows: [{ device_id: 'one' }, { device_id: 'three' }],
    list: ({ network }) => network.ports.list({ device_id: ['one', 'two'] }),
  },
  'load balancers of a project': {
    fixture: 'load-balancer/load-balancers',
    key: 'loadbalancers',
    rows: [{ project_id: OWN }, { project_id: OTHER }],
    list: ({ loadBalancer }) => loadBalancer.loadBalancers.list({ project_id: OWN }),
  },
  'images of a project': {
    fixture: 'image/images',
    key: 'images',
    rows: [{ owner: OWN }, { owner: OTHER }],
    list: ({ image }) => image.images.list({ owner: OWN }),
  },
  'delegations to a user': {
    fixture: 'identity/users',
    key: 'trusts',
    rows: [{ trustee_user_id: 'one' }, { trustee_user_id: 'two' }],
    list: ({ identity }) => identity.trusts.list({ trustee_user_id: 'one' }),
  },
  'ports of a client that is limited to a project': {
    fixture: 'network/networks',
    key: 'ports',
    rows: [{ project_id: OWN }, { project_id: OTHER }],
    list: () => testCloud().openstack.forProject(administrator, call, OWN).network.ports.list(),
  },
  'servers of an administrator who acts for a project': {
    fixture: 'compute/servers',
    key: 'servers',
    rows: [{ tenant_id: OWN }, { tenant_id: OTHER }],
    list: () =>
      testCloud()
        .openstack.as({ ...administrator, actingForProjectId: OWN }, call)
        .compute.servers.list(),
  },
};

describe('a list whose filter the service ignores', () => {
  let upstream: Upstream;

  beforeEach(() => {
    upstream = mockUpstream();
  });

  afterEach(() => {
    upstream.close();
  });

  for (const [name, { fixture, key, list, rows }] of Object.entries(IGNORED)) {
    it(`has only the ${name}`, async () => {
      const [asked, other] = rows;
      const listed = [
        { id: 'other', ...other },
        { id: 'asked', ...asked },
      ];
      upstream
        .reply(fixture, { path: /./, body: { [key]: listed } })
        .reply(fixture, { path: /offset=1/, body: { [key]: listed.slice(1) }, optional: true });

      const found = (await list(testCloud().openstack.as(administrator, call))) as { id: string }[];

      assert.deepEqual(
        found.map(({ id }) => id),
        ['asked'],
      );
    });
  }

  it('has no rows without the mark that is asked for', async () => {
    upstream
      .reply('network/networks', { path: /floatingips/, body: { floatingips: [{ id: 'of-a-user' }] } })
      .reply('block-storage/volumes', { path: /volumes/, body: { volumes: [{ id: 'v', metadata: null }] } });
    const { blockStorage, network } = testCloud().mine();

    const floatingIps = await network.floatingIps.list({ description: 'gateway job 1' });
    const volumes = await blockStorage.volumes.list({ metadata: JSON.stringify({ gateway_job_id: '1' }) });

    assert.deepEqual([floatingIps, volumes], [[], []]);
  });

  it('has no rows with an object in place of the value', async () => {
    upstream.reply('compute/servers', {
      path: /project_id/,
      body: {
        servers: [
          { id: 'list', tenant_id: [] },
          { id: 'object', tenant_id: {} },
          { id: 'own', tenant_id: OWN },
        ],
      },
    });

    const servers = await testCloud().openstack.as(administrator, call).compute.servers.list(inProject);

    assert.deepEqual(
      servers.map(({ id }) => id),
      ['own'],
    );
  });

  it('continues after a page with rows of others only', async () => {
    const path = '/v2.1/servers/detail?all_tenants=1&project_id=';
    const next = [{ rel: 'next', href: `http://127.0.0.1${path}${OWN}&marker=other` }];
    upstream
      .reply('compute/servers', {
        path: path + OWN,
        body: { servers: [{ id: 'other', tenant_id: OTHER }], servers_links: next },
      })
      .reply('compute/servers', {
        path: `${path}${OWN}&marker=other`,
        body: { servers: [{ id: 'asked', tenant_id: OWN }] },
      });

    const found = await testCloud().openstack.as(administrator, call).compute.servers.list(inProject);

    assert.deepEqual(
      found.map(({ id }) => id),
      ['asked'],
    );
    upstream.assertAllUsed();
  });

  it('asks for the shares of one project without a count', async () => {
    const path = `/v2/shares/detail?all_tenants=1&project_id=${OWN}&limit=1000&offset=0`;
    upstream.reply('shared-file-system/shares', { path, body: { shares: [] } });

    await testCloud().openstack.as(administrator, call).sharedFileSystem.shares.list(inProject);

    upstream.assertAllUsed();
  });

  it('counts what load balancers a project has by compared rows', async () => {
    const rows = (own: number) =>
      Array.from({ length: own + 3 }, (_, at) => ({ project_id: at < own ? OWN : OTHER }));
    upstream.reply('load-balancer/load-balancers', { path: /\/quotas\//, body: { quota: {} } });
    for (const [key, own] of Object.entries({
      loadbalancers: 2,
      listeners: 1,
      pools: 0,
      healthmonitors: 0,
    })) {
      const path = new RegExp(`/${key}\\?project_id=${OWN}`);
      upstream.reply('load-balancer/load-balancers', { path, body: { [key]: rows(own) } });
    }

    const usage = await testCloud().openstack.as(administrator, call).loadBalancer.quotas.getUsage(OWN);

    assert.deepEqual([usage.load_balancers.in_use, usage.listeners.in_use, usage.pools.in_use], [2, 1, 0]);
  });

  it('counts only what is limited, if asked so', async () => {
    const quota = { load_balancer: 0, listener: 5, pool: -1, member: 10 };
    const lists = { listeners: [{ project_id: OWN }], pools: [{ project_id: OWN, members: [{ id: 'm1' }] }] };
    upstream.reply('load-balancer/load-balancers', { path: /\/quotas\//, body: { quota } });
    for (const [key, rows] of Object.entries(lists)) {
      const path = new RegExp(`/${key}\\?project_id=${OWN}`);
      upstream.reply('load-balancer/load-balancers', { path, body: { [key]: rows } });
    }

    const { quotas } = testCloud().openstack.as(administrator, call).loadBalancer;
    const usage = await quotas.getUsage(OWN, { onlyLimited: true });

    assert.deepEqual(
      [usage.listeners, usage.members],
      [
        { limit: 5, in_use: 1, reserved: 0 },
        { limit: 10, in_use: 1, reserved: 0 },
      ],
    );
    upstream.assertAllUsed();
  });
});
