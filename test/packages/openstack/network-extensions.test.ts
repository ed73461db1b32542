import assert from 'node:assert/strict';
import { UpstreamError } from '@gateway/openstack';
import { mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { testCloud } from './cloud.ts';

/** What the network service answers to a path that it does not have. */
const missing = { status: 404, body: { code: 404, title: 'Not Found', description: '' } };

describe('a cloud whose network service lacks an extension', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => upstream.close());

  /** The reads are repeated, because a proxy may answer so as well. */
  function answer(path: RegExp, aliases: string[]) {
    upstream.reply('network/networks', { path, ...missing, times: 3 }).reply('network/networks', {
      path: /\/extensions$/,
      body: { extensions: aliases.map((alias) => ({ alias })) },
    });
  }

  it('has no routers, floating IPs and security groups', async () => {
    const { mine, openstack } = testCloud();
    const { network } = mine();

    answer(/\/routers$/, []);
    assert.deepEqual(await network.routers.list(), []);
    answer(/\/floatingips\?/, ['standard-attr-description']);
    assert.deepEqual(await network.floatingIps.listFields(['id'], ({ id }) => id), []);
    answer(/\/security-groups$/, ['router']);
    assert.deepEqual(await network.securityGroups.list(), []);

    upstream.assertAllUsed();
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
    answer(/\/routers$/, ['router']);

    const error = await mine()
      .network.routers.list()
      .catch((thrown: unknown) => thrown);

    assert.ok(error instanceof UpstreamError);
    assert.deepEqual([error.status, error.code], [502, 'upstream_error']);
    openstack.close();
  });
});
