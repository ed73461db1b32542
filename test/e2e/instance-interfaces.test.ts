import assert from 'node:assert/strict';
import type { ErrorBody } from '../support/api/client.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Prepared,
  prepareNetwork,
  preparePrebuiltShare,
  removeWhenUnused,
} from '../support/projects/prepared-cloud.ts';
import { externalNetworkId } from '../support/projects/prepared-project.ts';
import { InstanceStack } from '../support/stacks/instance-stack.ts';

interface Row {
  id: string;
  port_id: string;
  net_id: string;
  network_id: string;
  mac_address: string;
  fixed_ips: { subnet_id: string; ip_address: string }[];
  security_group_ids: string[];
  status: string;
}

interface Groups {
  port_id: string;
  port_name: string;
  security_groups: { id: string; name: string }[];
}

const MISSING = '00000000-0000-4000-8000-000000000000';
const LIBRARY = { id: 'addressed', version: '1' };

describe('the interfaces of an instance and their security groups', function () {
  this.timeout(300_000);
  let instances: InstanceStack;
  let id: string;
  let second: Prepared;
  let foreign: Prepared;

  before(async () => {
    instances = await InstanceStack.start({
      config: {
        libraries: [{ ...LIBRARY, name: 'Addressed', packages: [], depends_on: [] }],
        file_storage: { share_proto: 'NFS' },
        instances: { upper_volume_size_gb: 1 },
      },
    });
    const { cloud, networkId } = instances.project;
    second = await prepareNetwork(cloud, 'second');
    foreign = await prepareNetwork(instances.admin, 'foreign');
    id = await instances.create({ network_id: networkId });
  });

  after(async () => {
    await instances?.delete(id);
    await removeWhenUnused(second);
    await foreign?.remove();
    await instances?.stop();
  });

  it('are added, listed and removed, and the port goes with its interface', async () => {
    const [first] = await list();

    const added = await add(second.id);

    assert.equal(added.status, 201, added.text);
    const { body } = added;
    assert.deepEqual([body.id, body.net_id, body.network_id], [body.port_id, second.id, second.id]);
    assert.match(body.mac_address, /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/);
    assert.match(body.fixed_ips[0]?.ip_address ?? '', /^10\.88\.0\./);
    assert.equal(body.security_group_ids.length, 1);
    const rows = await list();
    assert.deepEqual(
      rows.map(({ port_id }) => port_id),
      [first?.port_id, body.port_id],
    );
    assert.deepEqual(await shownAddresses(), rows.flatMap(fixedAddresses).toSorted());

    const removed = await remove(body.port_id);

    assert.deepEqual([removed.status, removed.text], [204, '']);
    assert.deepEqual(await shownAddresses(), rows.slice(0, 1).flatMap(fixedAddresses), 'at once');
    await untilPortIsGone(body.port_id);
    assert.equal((await remove(body.port_id)).status, 404);
  });

  it('are not added to networks that take no servers', async () => {
    const bare = await prepareNetwork(instances.project.cloud, 'bare', { hasSubnet: false });
    const [external, empty] = [await add(await externalNetworkId(instances.admin)), await add(bare.id)];
    await bare.remove();

    assert.deepEqual([external.status, external.body.code], [400, 'invalid_input']);
    assert.match(external.body.detail, /is external/);
    assert.deepEqual([empty.status, empty.body.code], [400, 'invalid_input']);
    assert.match(empty.body.detail, /has no subnet/);
  });

  it('are not added to a network whose addresses are used up', async () => {
    const { cloud } = instances.project;
    const full = await prepareNetwork(cloud, 'full', { only: '10.88.0.9' });
    const { port } = await cloud.call<{ port: { id: string } }>('network', 'POST', '/v2.0/ports', {
      port: { network_id: full.id },
    });
    const answer = await add(full.id);
    await cloud.call('network', 'DELETE', `/v2.0/ports/${port.id}`);
    await full.remove();

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'], answer.text);
  });

  it('are not changed while the instance is shelved, with its status', async () => {
    await instances.ask('POST', `${id}/shelve`);
    await instances.untilStatus(id, 'SHELVED_OFFLOADED');
    const [first] = await list();
    const answers = [await add(second.id), await remove(first?.port_id ?? '')];
    await instances.ask('POST', `${id}/unshelve`);
    await instances.untilStatus(id, 'ACTIVE');

    for (const { status, body } of answers) {
      assert.equal(status, 409);
      assert.match(body.detail, /its status is SHELVED_OFFLOADED/);
    }
  });

  it('show their security groups, which are replaced and cleared', async () => {
    const { cloud } = instances.project;
    const made = await cloud.call<{ security_group: { id: string } }>(
      'network',
      'POST',
      '/v2.0/security-groups',
      { security_group: { name: 'made' } },
    );
    const groupId = made.security_group.id;
    const [port] = await groups();
    const portId = port?.port_id ?? '';

    const replaced = await setGroups(portId, [groupId, groupId]);
    const listed = await groups();
    const cleared = await setGroups(portId, []);
    const listedEmpty = await groups();
    const restored = await setGroups(
      portId,
      (port?.security_groups ?? []).map((group) => group.id),
    );
    await cloud.call('network', 'DELETE', `/v2.0/security-groups/${groupId}`);

    assert.deepEqual(
      port?.security_groups.map(({ name }) => name),
      ['default'],
    );
    const expected = { ...port, security_groups: [{ id: groupId, name: 'made' }] };
    assert.deepEqual([replaced.status, replaced.body, listed], [200, expected, [expected]]);
    const empty = { ...port, security_groups: [] };
    assert.deepEqual([cleared.status, cleared.body, listedEmpty], [200, empty, [empty]]);
    assert.deepEqual([restored.status, restored.body], [200, port]);
  });

  it('take no security groups that are unknown or of another project', async () => {
    const [port] = await groups();
    const portId = port?.port_id ?? '';
    const others = await instances.admin.call<{ security_groups: { id: string }[] }>(
      'network',
      'GET',
      `/v2.0/security-groups?project_id=${instances.admin.projectId}`,
    );

    const unknown = await setGroups(portId, [MISSING]);
    const foreignGroup = await setGroups(portId, [others.security_groups[0]?.id ?? '']);

    assert.deepEqual([unknown.status, foreignGroup.status], [404, 404]);
    assert.deepEqual(await groups(), [port]);
  });

  it('take no security groups without port security', async () => {
    const { port_id: portId } = (await add(second.id)).body;
    const path = `/v2.0/ports/${portId}`;
    const default_ = (await groups())[0]?.security_groups[0]?.id ?? '';
    await instances.project.cloud.call('network', 'PUT', path, {
      port: { security_groups: [], port_security_enabled: false },
    });

    const answer = await setGroups(portId, [default_]);
    await remove(portId);
    await untilPortIsGone(portId);

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'], answer.text);
  });

  it('belong to the instance and the project: others are not found', async () => {
    const [port] = await groups();
    const portId = port?.port_id ?? '';
    const { ports } = await instances.project.cloud.call<{ ports: { id: string }[] }>(
      'network',
      'GET',
      '/v2.0/ports?device_owner=network:router_interface',
    );

    for (const other of [MISSING, ports[0]?.id ?? '']) {
      assert.equal((await remove(other)).status, 404);
      assert.equal((await setGroups(other, [])).status, 404);
    }
    for (const network of [MISSING, foreign.id]) assert.equal((await add(network)).status, 404);
    await instances.assertHidden('GET', `${id}/interfaces`);
    await instances.assertHidden('POST', `${id}/interfaces`, { net_id: second.id });
    await instances.assertHidden('DELETE', `${id}/interfaces/${portId}`);
    await instances.assertHidden('GET', `${id}/security-groups`);
    const body = { security_group_ids: [] };
    await instances.assertHidden('POST', `${id}/ports/${portId}/security-groups`, body);
    assert.deepEqual(await groups(), [port]);
  });

  it('leave neither port nor access if shares were mounted through them', async () => {
    const share = await preparePrebuiltShare(instances.admin, {
      library: LIBRARY,
      protocol: 'NFS',
      shareType: 'default',
    });
    const layered = await instances.create({
      libraries: [LIBRARY.id],
      network_id: instances.project.networkId,
    });
    const [port] = (await instances.ask<Row[]>('GET', `${layered}/interfaces`)).body;
    const before = await instances.admin.accessRules(share.id);

    const removed = await instances.ask('DELETE', `${layered}/interfaces/${port?.port_id}`);
    const left = await instances.admin.accessRules(share.id);
    await untilPortIsGone(port?.port_id ?? '');
    const interfaces = await instances.ask<Row[]>('GET', `${layered}/interfaces`);
    const { floatingIps } = await instances.project.cloud.resourceIds();
    const [own] = await instances.admin
      .call<{ floatingips: { id: string; port_id: string | null }[] }>('network', 'GET', '/v2.0/floatingips')
      .then(({ floatingips }) =>
        floatingips.filter(
          (floatingIp) => floatingIps.includes(floatingIp.id) && floatingIp.port_id === null,
        ),
      );
    await instances.delete(layered);
    await removeWhenUnused(share);

    assert.equal(removed.status, 204, removed.text);
    assert.equal(before.length, 1);
    assert.deepEqual([left, interfaces.body], [[], []]);
    assert.equal(own, undefined, 'its floating IP was released');
  });

  function add(networkId: string) {
    return instances.ask<Row & ErrorBody>('POST', `${id}/interfaces`, { net_id: networkId });
  }

  function remove(portId: string) {
    return instances.ask<ErrorBody>('DELETE', `${id}/interfaces/${portId}`);
  }

  async function list(): Promise<Row[]> {
    const answer = await instances.ask<Row[]>('GET', `${id}/interfaces`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  async function groups(): Promise<Groups[]> {
    const answer = await instances.ask<Groups[]>('GET', `${id}/security-groups`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  function setGroups(portId: string, groupIds: string[]) {
    return instances.ask<Groups & ErrorBody>('POST', `${id}/ports/${portId}/security-groups`, {
      security_group_ids: groupIds,
    });
  }

  async function untilPortIsGone(portId: string): Promise<void> {
    await eventually(async () => {
      const answer = await instances.project.cloud.call<{ port?: unknown }>(
        'network',
        'GET',
        `/v2.0/ports/${portId}`,
        undefined,
        [404],
      );
      return answer.port === undefined;
    });
  }

  /** The fixed addresses in the list of instances. */
  async function shownAddresses(): Promise<string[]> {
    const rows =
      await instances.gateway.read<{ id: string; ip_addresses: { addr: string; type: string }[] }[]>(
        '/api/instances',
      );
    const row = rows.find((instance) => instance.id === id);
    return (row?.ip_addresses ?? [])
      .filter(({ type }) => type === 'fixed')
      .map(({ addr }) => addr)
      .toSorted();
  }
});

function fixedAddresses({ fixed_ips }: Row): string[] {
  return fixed_ips.map(({ ip_address }) => ip_address);
}
