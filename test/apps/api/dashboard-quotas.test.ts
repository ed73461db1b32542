import assert from 'node:assert/strict';
import { type DashboardQuotas, dashboardQuotas } from '@gateway/resources';
import { newCaller } from '../../support/api/factories.ts';
import { withServiceUser } from '../../support/api/settings.ts';
import { cacheTtl } from '../../support/api/stored-data.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody, type ReplyOptions } from '../../support/doubles/upstream.ts';

type Quota = { limit: number; in_use: number };
type Part = Record<string, Quota>;

const fails: ReplyOptions = { status: 500, body: '' };
const refuses: ReplyOptions = { status: 403, body: { forbidden: { code: 403, message: 'Not permitted.' } } };

describe('GET /api/dashboard/quotas', () => {
  const suite = apiSuite();

  function cloudIs(differences: Record<string, ReplyOptions | null> = {}): void {
    const { projectId } = newCaller();
    const paths: Record<string, string> = {
      'compute/quotas': `/v2.1/os-quota-sets/${projectId}/detail`,
      'block-storage/quotas': `/v3/${projectId}/os-quota-sets/${projectId}?usage=true`,
      'network/quota-details': `/v2.0/quotas/${projectId}/details.json`,
    };
    for (const name of [...Object.keys(paths), 'compute/keypairs', 'shared-file-system/limits']) {
      const difference = differences[name];
      if (difference === null) continue;
      const path = paths[name];
      suite.cloud.reply(name, { ...(path !== undefined && { path }), ...difference });
    }
  }

  it("shows the services' limit and usage of every resource", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    cloudIs();

    const { status, body } = await api.get<DashboardQuotas>('/api/dashboard/quotas', { as: caller });

    assert.equal(status, 200);
    const compute = fixtureBody<Part>('compute/quotas', 'quota_set');
    const storage = fixtureBody<Part>('block-storage/quotas', 'quota_set');
    const network = fixtureBody<Record<string, { limit: number; used: number }>>(
      'network/quota-details',
      'quota',
    );
    const keypairs = fixtureBody<unknown[]>('compute/keypairs', 'keypairs');
    const of = (quota?: Quota) => ({ limit: quota?.limit, in_use: quota?.in_use });
    const used = (name: string) => ({ limit: network[name]?.limit, in_use: network[name]?.used });
    assert.deepEqual(body.compute, {
      instances: of(compute.instances),
      cores: of(compute.cores),
      ram: of(compute.ram),
      key_pairs: { limit: compute.key_pairs?.limit, in_use: keypairs.length },
      server_groups: of(compute.server_groups),
    });
    assert.deepEqual(body.storage, {
      volumes: of(storage.volumes),
      snapshots: of(storage.snapshots),
      gigabytes: of(storage.gigabytes),
      backups: of(storage.backups),
      backup_gigabytes: of(storage.backup_gigabytes),
    });
    assert.deepEqual(body.network, {
      networks: used('network'),
      subnets: used('subnet'),
      ports: used('port'),
      routers: used('router'),
      floating_ips: used('floatingip'),
      security_groups: used('security_group'),
      security_group_rules: used('security_group_rule'),
    });
    assert.deepEqual(Object.keys(body.file_storage ?? {}).sort(), [
      'gigabytes',
      'share_networks',
      'shares',
      'snapshots',
    ]);
    assert.deepEqual([body.gpu, body.unavailable], [{}, []]);
  });

  for (const [part, service, calls] of [
    ['compute', 'compute', ['compute/quotas']],
    ['storage', 'blockStorage', ['block-storage/quotas']],
    ['network', 'network', ['network/quota-details']],
    ['file_storage', 'sharedFileSystem', ['shared-file-system/limits']],
  ] as const) {
    for (const [what, reply] of [
      ['fails', fails],
      ['refuses', refuses],
    ] as const)
      it(`omits and names ${service} if it ${what}, and soon retries it`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());
        cloudIs(Object.fromEntries(calls.map((name) => [name, reply])));

        const { status, body } = await api.get<DashboardQuotas>('/api/dashboard/quotas', { as: caller });

        assert.equal(status, 200);
        const missing = Object.entries(body).filter(([, value]) => value === null);
        assert.deepEqual([missing.map(([name]) => name), body.unavailable], [[part], [service]]);
        assert.ok((await cacheTtl(api, dashboardQuotas, caller)) <= 1);
      });
  }

  it('has no file storages where they are switched off', async () => {
    const api = await suite.start({ settings: { services: { shared_fs: false } } });
    const caller = suite.cloud.validCaller(newCaller());
    cloudIs({ 'shared-file-system/limits': null });

    const { body } = await api.get<DashboardQuotas>('/api/dashboard/quotas', { as: caller });

    assert.deepEqual([body.file_storage, body.unavailable], [null, []]);
  });

  it('has nothing available of a resource whose network extension is missing', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const quota = fixtureBody<Record<string, unknown>>('network/quota-details', 'quota');
    cloudIs({ 'network/quota-details': { body: { quota: { ...quota, router: undefined } } } });

    const { body } = await api.get<DashboardQuotas>('/api/dashboard/quotas', { as: caller });

    assert.deepEqual(body.network?.routers, { limit: 0, in_use: 0 });
  });

  it("counts each user's own key pairs", async () => {
    const api = await suite.start();
    const [first, second] = [newCaller(), newCaller({ userId: 'somebody-else' })];
    suite.cloud.validCaller(first);
    suite.cloud.validCaller(second);
    cloudIs();
    await api.get('/api/dashboard/quotas', { as: first });
    cloudIs({ 'compute/keypairs': { body: { keypairs: [] } } });

    const { body } = await api.get<DashboardQuotas>('/api/dashboard/quotas', { as: second });

    assert.equal(body.compute?.key_pairs.in_use, 0);
  });
});

describe('GET /api/dashboard/config', () => {
  const suite = apiSuite();

  it('returns the configuration of the site without name and regions', async () => {
    const api = await suite.start({ settings: { site: { name: 'Any', refresh_interval_ms: 5000 } } });
    const caller = suite.cloud.validCaller(newCaller());

    const { body } = await api.get('/api/dashboard/config', { as: caller });

    const site = (await api.get<Record<string, unknown>>('/api/site-config')).body;
    const { site_name, region, sisters, ...expected } = site;
    assert.deepEqual([site_name, region, sisters], ['Any', 'RegionOne', []]);
    assert.deepEqual(body, expected);
  });

  it('omits services without a catalog entry, and then /api/site-config does too', async () => {
    const services = { shared_fs: true, container_infra: true, container: true };
    const api = await suite.start({ settings: { services } });
    const flagsOf = async (path: string, options = {}) => {
      const { body } = await api.get<Record<string, boolean>>(path, options);
      return [body.shared_fs_enabled, body.container_infra_enabled, body.container_enabled];
    };
    const unknown = await flagsOf('/api/site-config');
    const caller = suite.cloud.validCaller(newCaller());

    const dashboard = await flagsOf('/api/dashboard/config', { as: caller });

    assert.deepEqual(unknown, [true, true, true]);
    assert.deepEqual(dashboard, [true, true, false]);
    assert.deepEqual(await flagsOf('/api/site-config'), dashboard);
  });

  it("uses the service user's catalog, once, before any log-in", async () => {
    const services = { shared_fs: true, container_infra: true, container: true };
    const api = await suite.start({ settings: { services, ...withServiceUser } });
    suite.cloud.acceptsLogIn(newCaller());

    const [first, second] = [
      await api.get<Record<string, boolean>>('/api/site-config'),
      await api.get<Record<string, boolean>>('/api/site-config'),
    ];

    assert.equal(first.body.container_enabled, false);
    assert.deepEqual(second.body, first.body);
  });

  it('keeps what is switched on while the service user cannot log in', async () => {
    const api = await suite.start({ settings: { services: { container: true }, ...withServiceUser } });
    suite.cloud.rejectsLogIn();

    const [first, second] = [
      await api.get<Record<string, boolean>>('/api/site-config'),
      await api.get<Record<string, boolean>>('/api/site-config'),
    ];

    assert.deepEqual([first.body.container_enabled, second.body.container_enabled], [true, true]);
  });
});
