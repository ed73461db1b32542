import assert from 'node:assert/strict';
import { chooseGateway, readGateways, routedAddresses } from '@gateway/openstack';
import { fixtureBody, mockUpstream } from '../../support/doubles/upstream.ts';
import { testCloud } from './cloud.ts';

const gateways = [
  { subnetId: 'inner', externalNetworkId: 'b-external' },
  { subnetId: 'inner', externalNetworkId: 'a-external' },
  { subnetId: 'other', externalNetworkId: 'c-external' },
];

function port(id: string, ...fixed: [string, string][]) {
  return { id, fixed_ips: fixed.map(([subnet_id, ip_address]) => ({ subnet_id, ip_address })) };
}

describe('the address that gets a floating IP', () => {
  it("comes with the external network of its own subnet's router", () => {
    const targets = routedAddresses([port('p', ['other', '10.0.0.5'])], gateways, 'b-external');

    assert.deepEqual(targets, [{ portId: 'p', fixedAddress: '10.0.0.5', externalNetworkId: 'c-external' }]);
  });

  it('is none without a router, and none of IPv6', () => {
    const targets = routedAddresses(
      [port('isolated', ['alone', '10.1.0.5']), port('six', ['inner', 'fd00::5'])],
      gateways,
      null,
    );

    assert.deepEqual(targets, []);
  });

  it('skips the addresses of a port whose subnet has no router', () => {
    const targets = routedAddresses(
      [port('p', ['alone', '10.1.0.5'], ['inner', '10.0.0.6'])],
      gateways,
      null,
    );

    assert.deepEqual(
      targets.map(({ fixedAddress }) => fixedAddress),
      ['10.0.0.6'],
    );
  });

  for (const [configured, chosen] of [
    ['b-external', 'b-external'],
    ['c-external', 'a-external'],
    [null, 'a-external'],
  ] as const) {
    it(`has ${chosen} of two external networks when ${configured} is configured`, () => {
      assert.equal(chooseGateway(gateways.slice(0, 2), configured), chosen);
    });
  }
});

describe('the routers of a shared network', () => {
  it('are read in parts that fit into the URL of a request', async () => {
    const { mine, openstack } = testCloud();
    const upstream = mockUpstream();
    const [port] = fixtureBody<object[]>('network/ports', 'ports');
    const ports = Array.from({ length: 150 }, (_, index) => ({
      ...port,
      id: `port-${index}`,
      device_id: `router-${index}`,
      device_owner: 'network:router_interface',
      network_id: 'shared',
    }));
    upstream
      .reply('network/ports', { path: /\/ports\?/, body: { ports } })
      .reply('network/routers', { path: /\/routers\?/, body: { routers: [] }, times: 2 });

    await readGateways(mine().network, ['shared']);

    upstream.assertAllUsed();
    upstream.close();
    openstack.close();
  });

  it('lead nowhere while they are switched off', async () => {
    const { mine, openstack } = testCloud();
    const upstream = mockUpstream();
    const states = { on: true, off: false, unsaid: undefined };
    const ports = Object.keys(states).map((id) => ({
      id: `port-${id}`,
      device_id: id,
      device_owner: 'network:router_interface',
      network_id: 'shared',
      fixed_ips: [{ subnet_id: `subnet-${id}`, ip_address: '10.0.0.1' }],
    }));
    const routers = Object.entries(states).map(([id, admin_state_up]) => ({
      id,
      admin_state_up,
      external_gateway_info: { network_id: 'external' },
    }));
    upstream
      .reply('network/ports', { path: /\/ports\?/, body: { ports } })
      .reply('network/routers', { path: /\/routers\?/, body: { routers } });

    const found = await readGateways(mine().network, ['shared']);

    assert.deepEqual(
      found.map(({ subnetId }) => subnetId),
      ['subnet-on', 'subnet-unsaid'],
    );
    upstream.close();
    openstack.close();
  });
});
