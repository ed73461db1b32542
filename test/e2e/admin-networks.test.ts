import assert from 'node:assert/strict';
import type {
  FloatingIp,
  Network,
  NetworkDetail,
  NetworkProvider,
  Port,
  Router,
  SubnetDetail,
} from '@gateway/resources';
import type { ErrorBody } from '../support/api/client.ts';
import { eventually } from '../support/eventually.ts';
import { NetworkProject } from '../support/projects/network-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';
import { withoutNames } from '../support/without-names.ts';

const MISSING = '00000000-0000-4000-8000-000000000000';

describe('networks in the hands of an administrator', function () {
  this.timeout(300_000);
  let project: NetworkProject;
  let externalId: string;
  /** Paths of what the administrator has made in the own project, to remove at the end. */
  const made: string[] = [];
  let server: Prepared | undefined;

  before(async () => {
    project = await NetworkProject.start();
    externalId = await project.externalNetworkId();
  });

  after(async () => {
    await server?.remove();
    for (const path of made.reverse()) {
      // The service itself deletes a network together with its subnets.
      const kind = path.replace('floating-ips', 'floatingips');
      await project.admin.call('network', 'DELETE', `/v2.0/${kind}`, undefined, [404]);
    }
    await project?.remove();
  });

  const ask = <T = ErrorBody>(method: string, path: string, body?: object) =>
    project.ask<T>(method, `/api/admin/${path}`, body, project.others.admin);

  async function make<T extends { id: string }>(path: string, body: object): Promise<T> {
    const answer = await project.make<T>(`/api/admin/${path}`, body, project.others.admin);
    made.push(`${path}/${answer.id}`);
    return answer;
  }

  const drop = (path: string) => project.drop(`/api/admin/${path}`, project.others.admin);

  async function refused(
    status: number,
    detail: RegExp,
    ...[method, path, body]: Parameters<typeof ask>
  ): Promise<string> {
    const { admin } = project.others;
    return (await project.refused(status, detail, [method, `/api/admin/${path}`, body], admin)).code;
  }

  /** A row of a cached list of the member. */
  const rowOf = async <T extends { id: string }>(path: string, id: string) =>
    (await project.ask<T[]>('GET', path)).body.find((row) => row.id === id);
  const networkOf = (id: string) => rowOf<Network>('/api/networks', id);

  it('get a subnet, and are shared with everybody until that ends', async () => {
    await networkOf('');
    const network = await make<Network & NetworkProvider>('networks', {
      name: 'for all',
      is_shared: true,
      cidr: '10.94.0.0/24',
      enable_dhcp: false,
    });

    const { subnets, status: _, provider_network_type, provider_segmentation_id, ...rest } = network;
    assert.match(provider_network_type ?? '', /^[a-z]+$/);
    assert.equal(typeof provider_segmentation_id, 'number');
    assert.deepEqual(rest, {
      id: network.id,
      name: 'for all',
      admin_state_up: true,
      is_external: false,
      is_shared: true,
      project_id: project.admin.projectId,
      project_name: 'admin',
      provider_physical_network: null,
    });
    const seen = await networkOf(network.id);
    assert.deepEqual(seen?.subnets, subnets, 'every project sees it in its next list');
    const { body: detail } = await project.ask<NetworkDetail>('GET', `/api/networks/${network.id}`);
    const [subnet] = detail.subnet_details;
    assert.deepEqual(
      [subnet?.id, subnet?.name, subnet?.cidr, subnet?.dhcp_enabled],
      [subnets[0], 'for all', '10.94.0.0/24', false],
    );
    const own = await ask<Network>('PUT', `networks/${network.id}`, { name: 'mine', is_shared: false });
    assert.deepEqual([own.status, own.body.name, own.body.is_shared], [200, 'mine', false]);
    assert.deepEqual(own.body.subnets, subnets);
    assert.equal(await networkOf(network.id), undefined);
    const again = await ask<Network>('PUT', `networks/${network.id}`, { is_shared: true });
    assert.deepEqual([again.body.name, again.body.is_shared], ['mine', true]);
    assert.equal((await networkOf(network.id))?.name, 'mine');
    assert.deepEqual((await ask<Network>('PUT', `networks/${network.id}`, {})).body, again.body);
  });

  it('are carried as asked, in a segment of their own', async () => {
    const segment = { provider_network_type: 'vxlan', provider_segmentation_id: 4321 };
    const network = await make<Network & NetworkProvider>('networks', { name: 'tunnel', ...segment });

    const { body } = await ask<NetworkDetail & NetworkProvider>('GET', `networks/${network.id}`);
    for (const { provider_network_type, provider_segmentation_id } of [network, body]) {
      assert.deepEqual({ provider_network_type, provider_segmentation_id }, segment);
    }
    const again = { name: 'again', ...segment };
    assert.equal(await refused(409, /in use/, 'POST', 'networks', again), 'conflict');
    await refused(400, /./, 'POST', 'networks', { name: 'x', provider_network_type: 'pigeon' });
    await drop(`networks/${network.id}`);
  });

  it('can be external', async () => {
    const { id, is_external } = await make<Network>('networks', { name: 'outside', is_external: true });

    assert.equal(is_external, true);
    assert.equal((await networkOf(id))?.is_external, true);
    await drop(`networks/${id}`);
    assert.equal(await networkOf(id), undefined);
  });

  it('are renamed and deleted in any project, unless in use', async () => {
    const { networkId, subnetId } = await project.makeSubnet('10.94.1.0/24', 'theirs');
    server = await project.makeServer(networkId);
    await networkOf(networkId);

    const renamed = await ask<Network>('PUT', `networks/${networkId}`, { name: 'renamed' });

    assert.deepEqual([renamed.body.name, renamed.body.project_id], ['renamed', project.id]);
    assert.equal((await networkOf(networkId))?.name, 'renamed');
    const { body: instance } = await project.ask<{ name: string }>('GET', `/api/instances/${server.id}`);
    const detail = new RegExp(`first remove instance "${instance.name}" \\(${server.id}\\), subnet "theirs"`);
    assert.equal(await refused(409, detail, 'DELETE', `networks/${networkId}`), 'conflict');
    const [port] = (await ask<Port[]>('GET', 'all-ports?refresh=true')).body.filter(
      ({ device_id }) => device_id === server?.id,
    );
    assert.equal(port?.project_id, project.id);
    await server.remove();
    await eventually(async () => (await project.ask('GET', `/api/instances/${server?.id}`)).status === 404);
    await project.drop(`/api/networks/subnets/${subnetId}`);
    await drop(`networks/${networkId}`);
    assert.equal(await networkOf(networkId), undefined);
    for (const id of [networkId, MISSING]) {
      await refused(404, /could not be found/, 'DELETE', `networks/${id}`);
      await refused(404, /could not be found/, 'PUT', `networks/${id}`, { name: 'x' });
    }
  });

  it('have routers, whose gateway is set and removed in any project', async () => {
    const { networkId, subnetId } = await project.makeSubnet('10.94.2.0/24', 'routed');
    const theirs = await project.make<Router>('/api/routers', { name: 'theirs' });
    await project.make(`/api/routers/${theirs.id}/interfaces`, { subnet_id: subnetId });
    const routerOf = () => rowOf<Router>('/api/routers', theirs.id);
    await routerOf();
    const path = `routers/${theirs.id}`;

    const opened = await ask<Router>('PUT', path, { name: 'open', external_network_id: externalId });

    assert.equal(opened.status, 200, opened.text);
    assert.deepEqual(withoutNames(opened.body), {
      ...withoutNames(theirs),
      name: 'open',
      status: opened.body.status,
      external_gateway_network_id: externalId,
      connected_subnet_ids: [subnetId],
    });
    const { connected_subnet_names, external_gateway_network_name } = opened.body;
    assert.deepEqual([connected_subnet_names, external_gateway_network_name], [['routed'], 'public']);
    assert.deepEqual(withoutNames(await routerOf()), withoutNames(opened.body));
    const renamed = await ask<Router>('PUT', path, { name: 'again', external_network_id: externalId });
    assert.deepEqual(withoutNames(renamed.body), { ...withoutNames(opened.body), name: 'again' });
    const closed = await ask<Router>('PUT', path, { external_network_id: null });
    assert.deepEqual(withoutNames(closed.body), {
      ...withoutNames(renamed.body),
      external_gateway_network_id: null,
    });
    assert.deepEqual(withoutNames(await routerOf()), withoutNames(closed.body));
    await refused(400, /is not external/, 'PUT', path, { external_network_id: networkId });
    await refused(409, /first remove the interface in subnet "routed"/, 'DELETE', path);
    await project.drop(`/api/routers/${theirs.id}/interfaces/${subnetId}`);
    await drop(path);
    assert.equal(await routerOf(), undefined);
    for (const [method, body] of [['DELETE'], ['PUT', { name: 'x' }]] as const)
      await refused(404, /could not be found/, method, `routers/${MISSING}`, body);
    const own = await make<Router>('routers', { name: 'own', external_network_id: externalId });
    assert.deepEqual(
      [own.project_id, own.external_gateway_network_id, own.connected_subnet_ids],
      [project.admin.projectId, externalId, []],
    );
    await refused(400, /is not external/, 'POST', 'routers', { name: 'x', external_network_id: networkId });
  });

  it('lose their subnets and interfaces, and are deleted then', async () => {
    const { networkId, subnetId } = await project.makeSubnet('10.94.3.0/24', 'theirs');
    const router = await project.make<Router>('/api/routers', { name: 'theirs' });
    const row = () => rowOf<Router>('/api/routers', router.id);
    await row();
    const interfaces = `routers/${router.id}/interfaces`;

    const added = await ask<{ subnet_id: string }>('POST', interfaces, { subnet_id: subnetId });

    assert.deepEqual([added.status, added.body.subnet_id], [201, subnetId], added.text);
    assert.deepEqual((await row())?.connected_subnet_ids, [subnetId]);
    const subnet = { name: 'second', cidr: '10.94.4.0/24' };
    const second = await ask<SubnetDetail>('POST', `networks/${networkId}/subnets`, subnet);
    assert.equal(second.status, 201, second.text);
    const { project_id } = await project.direct<{ project_id: string }>('GET', `/subnets/${second.body.id}`);
    assert.equal(project_id, project.id);
    assert.equal((await networkOf(networkId))?.subnets.length, 2);
    const path = `networks/subnets/${second.body.id}`;
    const changes = { name: 'changed', dns_nameservers: ['192.0.2.53'] };
    assert.deepEqual((await ask('PUT', path, changes)).body, { ...second.body, ...changes });
    const user = new RegExp(`first remove router "theirs" \\(${router.id}\\)`);
    await refused(409, user, 'DELETE', `networks/subnets/${subnetId}`);
    await refused(409, /subnet "changed"/, 'DELETE', `networks/${networkId}`);
    await drop(`${interfaces}/${subnetId}`);
    assert.deepEqual((await row())?.connected_subnet_ids, []);
    await drop(`networks/subnets/${subnetId}`);
    await drop(path);
    assert.deepEqual((await networkOf(networkId))?.subnets, []);
    await drop(`networks/${networkId}`);
    await drop(`routers/${router.id}`);
    for (const [method, gone, body] of [
      ['POST', interfaces, { subnet_id: subnetId }],
      ['DELETE', `${interfaces}/${subnetId}`],
      ['POST', `networks/${networkId}/subnets`, subnet],
      ['PUT', path, {}],
      ['DELETE', path],
    ] as const) {
      await refused(404, /could not be found/, method, gone, body);
    }
  });

  it('have floating IPs, which are released in any project', async () => {
    const own = await make<FloatingIp>('floating-ips', { floating_network_id: externalId });
    assert.deepEqual(withoutNames(own), {
      id: own.id,
      floating_ip_address: own.floating_ip_address,
      fixed_ip_address: null,
      status: 'DOWN',
      port_id: null,
      instance_id: null,
      has_port_forwardings: false,
      floating_network_id: externalId,
      project_id: project.admin.projectId,
    });
    const theirs = await project.make<FloatingIp>('/api/networks/floating-ips', {
      floating_network_id: externalId,
    });
    const floatingIpOf = () => rowOf<FloatingIp>('/api/networks/floating-ips', theirs.id);
    assert.equal((await floatingIpOf())?.id, theirs.id);

    await drop(`floating-ips/${theirs.id}`);

    assert.equal(await floatingIpOf(), undefined);
    await refused(404, /could not be found/, 'DELETE', `floating-ips/${theirs.id}`);
    const { networkId } = await project.makeSubnet('10.94.3.0/24', 'inner');
    const body = (floating_network_id: string) => ({ floating_network_id });
    await refused(400, /is not external/, 'POST', 'floating-ips', body(networkId));
    await refused(404, /could not be found/, 'POST', 'floating-ips', body(MISSING));
  });

  it('have ports that can be changed, except those of routers', async () => {
    const { networkId, subnetId } = await project.makeSubnet('10.94.4.0/24', 'ports');
    const portId = await project.makePort(networkId, { name: 'before' });
    const router = await project.make<Router>('/api/routers', { name: 'ports' });
    const { port_id } = await project.make<{ id: string; port_id: string }>(
      `/api/routers/${router.id}/interfaces`,
      { subnet_id: subnetId },
    );
    const portOf = async () =>
      (await ask<Port[]>('GET', 'all-ports')).body.find(({ id }) => id === portId)?.name;
    assert.equal(await portOf(), 'before');

    const renamed = await ask<Port>('PUT', `ports/${portId}`, { name: 'after' });

    assert.deepEqual(
      [renamed.status, renamed.body.id, renamed.body.name, renamed.body.project_id],
      [200, portId, 'after', project.id],
    );
    assert.equal(await portOf(), 'after');
    assert.deepEqual((await ask<Port>('PUT', `ports/${portId}`, {})).body, renamed.body);
    assert.equal(await refused(409, /cannot be deleted directly/, 'DELETE', `ports/${port_id}`), 'conflict');
    await drop(`ports/${portId}`);
    assert.equal(await portOf(), undefined);
    for (const [method, body] of [['DELETE'], ['PUT', { name: 'x' }]] as const)
      await refused(404, /could not be found/, method, `ports/${portId}`, body);
  });
});
