import assert from 'node:assert/strict';
import type { FloatingIp, Instance, Network, NetworkDetail, Router, Topology } from '@gateway/resources';
import { NetworkProject } from '../support/projects/network-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';

const TOPOLOGY = '/api/networks/topology';

describe('the topology', function () {
  this.timeout(300_000);
  let project: NetworkProject;
  let server: Prepared | undefined;

  before(async () => {
    project = await NetworkProject.start();
  });

  after(async () => {
    await server?.remove();
    await project?.remove();
  });

  const get = async <T>(path: string) => (await project.ask<T>('GET', path)).body;
  const read = (path = TOPOLOGY) => get<Topology>(path);

  it('of an empty project has the networks that everybody sees', async () => {
    const { networks, ...own } = await read();

    assert.deepEqual(own, { routers: [], instances: [], floating_ips: [] });
    assert.ok(networks.some(({ is_external }) => is_external));
    assert.ok(networks.every(({ is_external, is_shared }) => is_external || is_shared));
  });

  it('has everything to draw the project, as in the single endpoints', async () => {
    const external_network_id = await project.externalNetworkId();
    const { networkId, subnetId } = await project.makeSubnet('10.99.0.0/24', 'drawn');
    await project.make<Network>('/api/networks', { name: 'drawn' });
    const router = await project.make<Router>('/api/routers', { name: 'way-out', external_network_id });
    await project.make(`/api/routers/${router.id}/interfaces`, { subnet_id: subnetId });
    server = await project.makeServer(networkId);
    const floating = await project.make<FloatingIp>('/api/networks/floating-ips', {
      floating_network_id: external_network_id,
    });
    const associate = `/api/networks/floating-ips/${floating.id}/associate`;
    await project.ask('POST', associate, { instance_id: server.id });

    const drawn = await read(`${TOPOLOGY}?refresh=true`);

    const networks = await get<Network[]>('/api/networks?refresh=true');
    assert.deepEqual(
      drawn.networks.map(({ subnet_details: _subnets, ...network }) => network),
      networks,
    );
    const shown = drawn.networks.find(({ id }) => id === networkId);
    const { subnet_details } = await get<NetworkDetail>(`/api/networks/${networkId}`);
    // A drawing has no use for what a subnet hands out.
    const drawnSubnets = subnet_details.map(
      ({
        allocation_pools: _pools,
        dns_nameservers: _servers,
        host_routes: _routes,
        ipv6_address_mode: _address,
        ipv6_ra_mode: _ra,
        ...subnet
      }) => subnet,
    );
    assert.deepEqual(shown?.subnet_details, drawnSubnets);
    assert.deepEqual(
      drawn.networks.slice(0, 2).map(({ name }) => name),
      ['drawn', 'drawn'],
    );
    assert.equal(drawn.networks.find(({ id }) => id === external_network_id)?.subnet_details.length, 0);
    assert.deepEqual(drawn.routers, await get('/api/routers?refresh=true'));
    assert.deepEqual(drawn.routers[0]?.connected_subnet_ids, [subnetId]);
    assert.deepEqual(drawn.floating_ips, await get('/api/networks/floating-ips?refresh=true'));
    const [instance] = await get<Instance[]>('/api/instances?refresh=true');
    assert.deepEqual(drawn.instances, [
      {
        id: server.id,
        name: instance?.name,
        status: 'ACTIVE',
        task_state: null,
        network_ids: [networkId],
        network_names: ['drawn'],
        ip_addresses: instance?.ip_addresses,
      },
    ]);
    assert.deepEqual(
      drawn.instances[0]?.ip_addresses.map(({ type }) => type),
      ['fixed', 'floating'],
    );
    const ids = [networkId, router.id, floating.id, server.id];
    for (const [name, other] of Object.entries(project.others)) {
      const { text } = await project.ask('GET', TOPOLOGY, undefined, other);
      assert.deepEqual(
        ids.filter((id) => text.includes(id)),
        [],
        name,
      );
    }
  });
});
