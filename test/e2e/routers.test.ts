import assert from 'node:assert/strict';
import type { Router, RouterDetail } from '@gateway/resources';
import { NetworkProject } from '../support/projects/network-project.ts';

const LIST = '/api/routers';

interface NewInterface {
  id: string;
  port_id: string;
  ip_address: string;
}

describe('routers', function () {
  this.timeout(300_000);
  let project: NetworkProject;
  let externalId: string;

  before(async () => {
    project = await NetworkProject.start();
    externalId = await project.externalNetworkId();
  });

  after(() => project?.remove());

  const get = async <T>(path: string) => (await project.ask<T>('GET', path)).body;
  const rowOf = async (id: string) => (await get<Router[]>(LIST)).find((row) => row.id === id);
  const make = (body: object) => project.make<Router>(LIST, body);

  it('are listed for their own project, until they are deleted', async () => {
    const router = await make({ name: 'plain', external_network_id: null });

    assert.deepEqual(router, {
      id: router.id,
      name: 'plain',
      status: 'ACTIVE',
      admin_state_up: true,
      project_id: project.id,
      project_name: router.project_name,
      external_gateway_network_id: null,
      external_gateway_network_name: null,
      connected_subnet_ids: [],
      connected_subnet_names: [],
    });
    assert.match(router.project_name ?? '', /^e2e-/);
    assert.deepEqual(await get(LIST), [router]);
    await project.isUnlisted(LIST, router.id);
    const path = `${LIST}/${router.id}`;
    for (const method of ['GET', 'DELETE']) await project.isHidden(method, path);
    await project.isHidden('POST', `${path}/interfaces`, { subnet_id: crypto.randomUUID() });
    await project.isHidden('DELETE', `${path}/interfaces/${crypto.randomUUID()}`);
    await project.isHidden('PUT', path, { name: 'x' });
    await project.isHidden('POST', `${path}/gateway`, { external_network_id: externalId });
    await project.isHidden('DELETE', `${path}/gateway`);
    await project.drop(path);
    assert.deepEqual(await get(LIST), []);
    for (const method of ['GET', 'DELETE']) assert.equal((await project.ask(method, path)).status, 404);
  });

  it('connect subnets, and show these interfaces only', async () => {
    const { networkId, subnetId } = await project.makeSubnet('10.96.0.0/24');
    const router = await make({ name: 'way-out', external_network_id: externalId });
    assert.equal(router.external_gateway_network_id, externalId);
    const path = `${LIST}/${router.id}`;

    const added = await project.make<NewInterface>(`${path}/interfaces`, { subnet_id: subnetId });

    const shown = {
      id: added.port_id,
      subnet_id: subnetId,
      subnet_name: 'inside',
      network_id: networkId,
      network_name: 'inside',
      ip_address: '10.96.0.1',
    };
    assert.deepEqual(added, { ...shown, port_id: added.id });
    const { connected_subnet_ids, connected_subnet_names } = (await rowOf(router.id)) ?? {};
    assert.deepEqual([connected_subnet_ids, connected_subnet_names], [[subnetId], ['inside']]);
    const detail = await get<RouterDetail>(path);
    const { connected_subnet_ids: _ids, connected_subnet_names: _names, ...fields } = router;
    assert.deepEqual(detail, {
      ...fields,
      external_gateway_network_name: 'public',
      routes: [],
      interfaces: [shown],
    });

    const interfaces = `${path}/interfaces`;
    await project.refused(409, /already has a port on subnet/, ['POST', interfaces, { subnet_id: subnetId }]);
    await project.refused(409, new RegExp(`the interface in subnet "inside" \\(${subnetId}\\)`), [
      'DELETE',
      path,
    ]);
    const second = await make({ name: 'second' });
    const elsewhere = `${LIST}/${second.id}/interfaces`;
    await project.refused(409, /already allocated/, ['POST', elsewhere, { subnet_id: subnetId }]);
    await project.refused(404, /no interface/, ['DELETE', `${elsewhere}/${subnetId}`]);
    await project.drop(`${interfaces}/${subnetId}`);
    assert.deepEqual((await rowOf(router.id))?.connected_subnet_ids, []);
    assert.deepEqual((await get<RouterDetail>(path)).interfaces, []);
    await project.refused(404, /no interface/, ['DELETE', `${interfaces}/${subnetId}`]);
    await project.drop(path);
    await project.drop(`${LIST}/${second.id}`);
    await project.drop(`/api/networks/subnets/${subnetId}`);
    await project.drop(`/api/networks/${networkId}`);
  });

  it('get another name and static routes by connected subnets', async () => {
    const { networkId, subnetId } = await project.makeSubnet('10.96.8.0/24');
    const router = await make({ name: 'first-name' });
    const path = `${LIST}/${router.id}`;
    const interfaces = `${path}/interfaces`;
    await project.make(interfaces, { subnet_id: subnetId });
    const routes = [{ destination: '192.168.7.0/24', nexthop: '10.96.8.9' }];

    const { body } = await project.ask<RouterDetail>('PUT', path, { name: 'second-name', routes });

    assert.deepEqual([body.name, body.routes, body.interfaces.length], ['second-name', routes, 1]);
    assert.deepEqual(await get<RouterDetail>(path), body);
    assert.equal((await rowOf(router.id))?.name, 'second-name');
    const elsewhere = [{ destination: '192.168.7.0/24', nexthop: '10.97.8.9' }];
    await project.refused(400, /not connected with router/, ['PUT', path, { routes: elsewhere }]);
    const itself = [{ destination: '192.168.7.0/24', nexthop: '10.96.8.1' }];
    await project.refused(400, /used by router/, ['PUT', path, { routes: itself }]);
    await project.refused(409, /route to 192\.168\.7\.0\/24/, ['DELETE', `${interfaces}/${subnetId}`]);
    const cleared = await project.ask<RouterDetail>('PUT', path, { routes: [] });
    assert.deepEqual(cleared.body, { ...body, routes: [] });
    await project.drop(`${interfaces}/${subnetId}`);
    await project.drop(path);
    await project.drop(`/api/networks/subnets/${subnetId}`);
    await project.drop(`/api/networks/${networkId}`);
  });

  it('do not connect resources that are missing, foreign or without gateway', async () => {
    const router = await make({ name: 'picky' });
    const { networkId } = await project.makeSubnet('10.96.1.0/24');
    const without = await project.make<{ id: string }>(`/api/networks/${networkId}/subnets`, {
      name: 'none',
      cidr: '10.96.2.0/24',
      gateway_ip: null,
    });
    const interfaces = `${LIST}/${router.id}/interfaces`;

    await project.refused(409, /must have a gateway/, ['POST', interfaces, { subnet_id: without.id }]);
    const unknown = { subnet_id: crypto.randomUUID() };
    await project.refused(404, /could not be found/, ['POST', interfaces, unknown]);
    for (const other of Object.values(project.others)) {
      const theirs = await project.ask<Router>('POST', LIST, { name: 'theirs' }, other);
      const path = `${LIST}/${theirs.body.id}`;
      const body = { subnet_id: without.id };
      const answer = await project.ask('POST', `${path}/interfaces`, body, other);
      await project.ask('DELETE', path, undefined, other);
      assert.equal(answer.status, 404, answer.text);
    }
  });

  it('get, replace and lose a gateway, to external networks only', async () => {
    const { networkId } = await project.makeSubnet('10.96.3.0/24', 'no-way-out');
    const unknown = { external_network_id: crypto.randomUUID() };
    const inner = { external_network_id: networkId };
    const router = await make({ name: 'gated' });
    const gateway = `${LIST}/${router.id}/gateway`;

    const set = await project.ask<Router>('POST', gateway, { external_network_id: externalId });

    assert.equal(set.status, 200, set.text);
    assert.deepEqual(set.body, {
      ...router,
      external_gateway_network_id: externalId,
      external_gateway_network_name: 'public',
    });
    assert.deepEqual(await rowOf(router.id), set.body);
    const again = await project.ask<Router>('POST', gateway, { external_network_id: externalId });
    assert.deepEqual(again.body, set.body);
    for (const [path, more] of [
      [gateway, {}],
      [LIST, { name: 'refused' }],
    ] as const) {
      const { errors } = await project.refused(400, /is not external/, ['POST', path, { ...more, ...inner }]);
      assert.deepEqual(
        errors?.map(({ field }) => field),
        ['body.external_network_id'],
      );
      await project.refused(404, /could not be found/, ['POST', path, { ...more, ...unknown }]);
    }
    await project.drop(gateway);
    assert.equal((await rowOf(router.id))?.external_gateway_network_id, null);
    await project.refused(404, /has no gateway/, ['DELETE', gateway]);
    await project.drop(`${LIST}/${router.id}`);
  });

  it('keep the gateway and the interface that a floating IP needs', async () => {
    const { networkId, subnetId } = await project.makeSubnet('10.96.4.0/24', 'served');
    const router = await make({ name: 'needed', external_network_id: externalId });
    const path = `${LIST}/${router.id}`;
    await project.make(`${path}/interfaces`, { subnet_id: subnetId });
    const port_id = await project.makePort(networkId);
    const body = { floatingip: { floating_network_id: externalId, port_id } };
    const floating = await project.direct<{ id: string; floating_ip_address: string }>(
      'POST',
      '/floatingips',
      body,
    );
    const named = new RegExp(`first remove floating IP ${floating.floating_ip_address}\\.`);

    await project.refused(409, named, ['DELETE', `${path}/gateway`]);
    await project.refused(409, named, ['DELETE', `${path}/interfaces/${subnetId}`]);

    await project.direct('DELETE', `/floatingips/${floating.id}`);
    await project.drop(`${path}/gateway`);
    await project.drop(`${path}/interfaces/${subnetId}`);
    await project.drop(path);
  });

  it('beyond the quota are refused', async () => {
    const { code } = await project.withoutQuota(['router'], () =>
      project.refused(409, /quota/, ['POST', LIST, { name: 'more' }]),
    );
    assert.equal(code, 'quota_exceeded');
  });
});
