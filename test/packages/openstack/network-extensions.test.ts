import assert from 'node:assert/strict';
import { UpstreamError } from '@gateway/openstack';
import { mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { testCloud } from './cloud.ts';

/** What the network service answers to a path that it does not have. */
const missing = {
  status: 404,
  body: {
    NeutronError: { type: 'HTTPNotFound', message: 'The resource could not be found.', detail: '' },
  },
};
/** What a proxy answers, or a service of another make. */
const unexplained = { status: 404, body: { code: 404, title: 'Not Found', description: '' } };

describe('a cloud whose network service lacks an extension', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => upstream.close());

  function answer(path: RegExp, aliases: string[], to: object = missing) {
    upstream.reply('network/networks', { path, ...to }).reply('network/networks', {
      path: /\/extensions$/,
      body: { extensions: aliases.map((alias) => ({ alias })) },
    });
  }

  it('has no routers, floating IPs and security groups', async () => {
    const { mine, openstack } = testCloud();
    const { network } = mine();

    answer(/\/routers$/, []);
    assert.deepEqual(await network.routers.list(), []);
    // The reads are repeated, because a proxy may answer so as well.
    answer(/\/floatingips\?/, ['standard-attr-description'], { ...unexplained, times: 3 });
    assert.deepEqual(await network.floatingIps.listFields(['id'], ({ id }) => id), []);
    answer(/\/security-groups$/, ['router']);
    assert.deepEqual(await network.securityGroups.list(), []);
    answer(/\/security-group-rules$/, ['router']);
    assert.deepEqual(await network.securityGroupRules.list(), []);

    upstream.assertAllUsed();
    openstack.close();
  });

  it('has quotas whose use is counted', async () => {
    const { mine, openstack } = testCloud();
    const project = 'e'.repeat(32);
    const lists = {
      networks: 2,
      subnets: 3,
      ports: 4,
      floatingips: 1,
      'security-groups': 1,
      'security-group-rules': 5,
    };
    answer(/\/details\.json$/, ['security-group']);
    upstream.reply('network/networks', {
      path: new RegExp(`/quotas/${project}$`),
      body: { quota: { network: 10, subnet: -1, port: 4, security_group: 0, tenant_id: project } },
    });
    for (const [plural, count] of Object.entries(lists)) {
      const rows = Array.from({ length: count }, (_, index) => ({ id: `${index}`, project_id: project }));
      upstream.reply('network/networks', {
        path: new RegExp(`/${plural}\\?project_id=${project}&fields=id&fields=project_id&`),
        body: { [plural.replaceAll('-', '_')]: rows },
      });
    }
    answer(/\/routers\?/, ['security-group']);

    const usage = await mine().network.quotas.getUsage(project);

    const of = (limit: number, in_use: number) => ({ limit, in_use, reserved: 0 });
    assert.deepEqual(usage, {
      networks: of(10, 2),
      subnets: of(-1, 3),
      ports: of(4, 4),
      routers: of(-1, 0),
      floating_ips: of(-1, 1),
      security_groups: of(0, 1),
      security_group_rules: of(-1, 5),
    });
    upstream.assertAllUsed();
    openstack.close();
  });

  it('has no quotas to count if it promises their details', async () => {
    const { mine, openstack } = testCloud();
    answer(/\/details\.json$/, ['quota_details']);

    await assert.rejects(mine().network.quotas.get('e'.repeat(32)), { status: 404 });
    openstack.close();
  });

  it('refuses to make one, and names the extension', async () => {
    const { mine, openstack } = testCloud();
    upstream
      .reply('network/networks', { method: 'POST', path: /\/routers$/, ...missing })
      .reply('network/networks', { path: /\/extensions$/, body: { extensions: [] } });

    await assert.rejects(mine().network.routers.create({ name: 'way-out' }), {
      status: 409,
      conflictReason: 'not_supported',
      message: 'The network service of this cloud lacks the extension "router".',
    });
    openstack.close();
  });

  it('is not one whose proxy does not find the service', async () => {
    const { mine, openstack } = testCloud();
    answer(/\/routers$/, ['router'], { ...unexplained, times: 3 });

    const error = await mine()
      .network.routers.list()
      .catch((thrown: unknown) => thrown);

    assert.ok(error instanceof UpstreamError);
    assert.deepEqual([error.status, error.code], [502, 'upstream_error']);
    openstack.close();
  });
});
