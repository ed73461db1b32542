import assert from 'node:assert/strict';
import type { FloatingIp, Instance, Router } from '@gateway/resources';
import { NetworkProject } from '../support/projects/network-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';

const LIST = '/api/networks/floating-ips';

describe('floating IPs', function () {
  this.timeout(300_000);
  let project: NetworkProject;
  let externalId: string;
  let routed: { networkId: string; subnetId: string };
  let router: Router;
  const servers: Prepared[] = [];

  before(async () => {
    project = await NetworkProject.start();
    externalId = await project.externalNetworkId();
    routed = await project.makeSubnet('10.97.0.0/24', 'routed');
    const body = { name: 'way-out', external_network_id: externalId };
    router = await project.make<Router>('/api/routers', body);
    await project.make(`/api/routers/${router.id}/interfaces`, { subnet_id: routed.subnetId });
  });

  after(async () => {
    for (const server of servers) await server.remove();
    await project?.remove();
  });

  const list = async () => (await project.ask<FloatingIp[]>('GET', LIST)).body;
  const rowOf = async (id: string) => (await list()).find((row) => row.id === id);
  const make = () => project.make<FloatingIp>(LIST, { floating_network_id: externalId });
  const associate = (id: string, instance_id: string) =>
    project.ask<FloatingIp>('POST', `${LIST}/${id}/associate`, { instance_id });

  async function makeServer(networkId: string): Promise<string> {
    const server = await project.makeServer(networkId);
    servers.push(server);
    return server.id;
  }

  /** The floating addresses that the list of instances shows. */
  async function shownFor(instanceId: string): Promise<string[]> {
    const { body } = await project.ask<Instance[]>('GET', '/api/instances');
    const { ip_addresses = [] } = body.find(({ id }) => id === instanceId) ?? {};
    return ip_addresses.filter(({ type }) => type === 'floating').map(({ addr }) => addr);
  }

  it('are allocated from external networks only, and listed until they are released', async () => {
    const made = await make();

    assert.match(made.floating_ip_address, /^203\.0\.113\.\d+$/);
    assert.deepEqual(made, {
      id: made.id,
      floating_ip_address: made.floating_ip_address,
      fixed_ip_address: null,
      status: 'DOWN',
      port_id: null,
      port_name: null,
      instance_id: null,
      instance_name: null,
      has_port_forwardings: false,
      floating_network_id: externalId,
      floating_network_name: 'public',
      project_id: project.id,
      project_name: made.project_name,
    });
    assert.deepEqual(await list(), [made]);
    await project.isUnlisted(LIST, made.id);
    const { errors } = await project.refused(400, /is not external/, [
      'POST',
      LIST,
      { floating_network_id: routed.networkId },
    ]);
    assert.deepEqual(
      errors?.map(({ field }) => field),
      ['body.floating_network_id'],
    );
    const unknown = { floating_network_id: crypto.randomUUID() };
    await project.refused(404, /could not be found/, ['POST', LIST, unknown]);
    await project.isHidden('POST', LIST, { floating_network_id: routed.networkId });
    await project.drop(`${LIST}/${made.id}`);
    assert.deepEqual(await list(), []);
    await project.refused(404, /could not be found/, ['DELETE', `${LIST}/${made.id}`]);
  });

  it("are associated with an instance's routed address, disassociated and released", async () => {
    const serverId = await makeServer(routed.networkId);
    const [port] = await project.direct<{ id: string; fixed_ips: { ip_address: string }[] }[]>(
      'GET',
      `/ports?device_id=${serverId}`,
    );
    const made = await make();
    const address = made.floating_ip_address;
    const path = `${LIST}/${made.id}`;

    const associated = await associate(made.id, serverId);

    assert.equal(associated.status, 200, associated.text);
    const { status, ...fields } = associated.body;
    const { status: _status, ...before } = made;
    const target = { port_id: port?.id, fixed_ip_address: port?.fixed_ips[0]?.ip_address };
    const { instance_name, ...named } = fields;
    assert.match(instance_name ?? '', /^beside-/);
    const { instance_name: _none, ...unnamed } = before;
    assert.deepEqual(named, { ...unnamed, ...target, instance_id: serverId, port_name: '' });
    assert.deepEqual(await rowOf(made.id), { ...associated.body, status: 'ACTIVE' }, status);
    assert.deepEqual(await shownFor(serverId), [address]);
    await project.isHidden('POST', `${path}/associate`, { instance_id: serverId });
    await project.isHidden('POST', `${path}/disassociate`);
    await project.isHidden('DELETE', path);
    await project.refused(409, /is associated with the port .* already/, [
      'POST',
      `${path}/associate`,
      { instance_id: serverId },
    ]);
    const second = await make();
    await project.refused(409, /Every port .* has one already/, [
      'POST',
      `${LIST}/${second.id}/associate`,
      { instance_id: serverId },
    ]);

    const freed = await project.ask<FloatingIp>('POST', `${path}/disassociate`);

    assert.equal(freed.status, 200, freed.text);
    assert.deepEqual({ ...freed.body, status: 'DOWN' }, made);
    assert.deepEqual(await shownFor(serverId), []);
    assert.deepEqual({ ...(await rowOf(made.id)), status: 'DOWN' }, made, 'the project keeps the address');
    assert.deepEqual((await project.ask<FloatingIp>('POST', `${path}/disassociate`)).body.port_id, null);
    assert.equal((await associate(second.id, serverId)).status, 200);
    assert.deepEqual(await shownFor(serverId), [second.floating_ip_address]);
    await project.drop(`${LIST}/${second.id}`);
    assert.deepEqual(await shownFor(serverId), []);
    await project.drop(path);
    assert.deepEqual(await list(), []);
  });

  it('are rejected for missing instances and instances without external route', async () => {
    const { networkId } = await project.makeSubnet('10.97.1.0/24', 'unrouted');
    const serverId = await makeServer(networkId);
    const made = await make();
    const path = `${LIST}/${made.id}/associate`;

    const { code } = await project.refused(400, /No router connects/, [
      'POST',
      path,
      { instance_id: serverId },
    ]);
    assert.equal(code, 'no_external_network');
    await project.refused(404, /could not be found|no such instance/, [
      'POST',
      path,
      { instance_id: crypto.randomUUID() },
    ]);
    const other = `${LIST}/${crypto.randomUUID()}`;
    await project.refused(404, /could not be found/, [
      'POST',
      `${other}/associate`,
      { instance_id: serverId },
    ]);
    await project.refused(404, /could not be found/, ['POST', `${other}/disassociate`]);
    const [theirs] = (await project.ask<FloatingIp[]>('GET', LIST)).body;
    assert.deepEqual([theirs?.id, theirs?.port_id], [made.id, null]);
    await project.drop(`${LIST}/${made.id}`);
  });

  it("are not associated with another project's instance, even by administrators", async () => {
    const [serverId = ''] = servers.map(({ id }) => id);
    for (const other of Object.values(project.others)) {
      const body = { floating_network_id: externalId };
      const theirs = await project.ask<FloatingIp>('POST', LIST, body, other);
      const path = `${LIST}/${theirs.body.id}`;
      const answer = await project.ask('POST', `${path}/associate`, { instance_id: serverId }, other);
      const released = await project.ask('DELETE', path, undefined, other);
      assert.deepEqual([theirs.status, answer.status, released.status], [201, 404, 204], answer.text);
    }
  });

  it('beyond the quota are refused', async () => {
    const { code } = await project.withoutQuota(['floatingip'], () =>
      project.refused(409, /quota/, ['POST', LIST, { floating_network_id: externalId }]),
    );
    assert.equal(code, 'quota_exceeded');
  });
});
