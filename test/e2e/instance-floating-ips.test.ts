import assert from 'node:assert/strict';
import type { ErrorBody } from '../support/api/client.ts';
import { eventually } from '../support/eventually.ts';
import { type Prepared, prepareNetwork, removeWhenUnused } from '../support/projects/prepared-cloud.ts';
import { externalNetworkId } from '../support/projects/prepared-project.ts';
import { InstanceStack } from '../support/stacks/instance-stack.ts';

interface FloatingIp {
  id: string;
  floating_ip_address: string;
  fixed_ip_address: string | null;
  port_id: string | null;
  floating_network_id: string;
}

const MISSING = '00000000-0000-4000-8000-000000000000';

describe('the floating IPs of an instance', function () {
  this.timeout(300_000);
  let instances: InstanceStack;
  let id: string;
  let inside: Prepared;

  before(async () => {
    instances = await InstanceStack.start();
    inside = await prepareNetwork(instances.project.cloud, 'inside');
    id = await instances.create({ network_id: instances.project.networkId });
  });

  after(async () => {
    await instances?.delete(id);
    await removeWhenUnused(inside);
    await instances?.stop();
  });

  it('are in the detail and the list after the creation', async () => {
    const created = await instances.create({ network_id: instances.project.networkId });

    const detail = await instances.ask<{ ip_addresses: { type: string }[] }>('GET', created);
    const list =
      await instances.gateway.read<{ id: string; ip_addresses: { type: string }[] }[]>('/api/instances');
    await instances.delete(created);
    await eventually(async () => (await floatingIps()).length === 1);

    const typesOf = (row: { ip_addresses: { type: string }[] } | undefined) =>
      row?.ip_addresses.map(({ type }) => type);
    assert.deepEqual(typesOf(detail.body), ['fixed', 'floating']);
    assert.deepEqual(typesOf(list.find(({ id }) => id === created)), ['fixed', 'floating']);
  });

  it('are released, and one is created again for the same address', async () => {
    const [created] = await floatingIps();
    const removed = await remove();
    const without = await floatingIps();
    const shownWithout = await shown();

    const added = await add();

    assert.deepEqual([removed.status, removed.text], [204, '']);
    assert.deepEqual([without, shownWithout], [[], []]);
    assert.equal(added.status, 200, added.text);
    const [floatingIp] = await floatingIps();
    assert.deepEqual(added.body, {
      id: floatingIp?.id,
      floating_ip_address: floatingIp?.floating_ip_address,
    });
    assert.equal(floatingIp?.floating_network_id, await externalNetworkId(instances.admin));
    assert.deepEqual(
      [floatingIp?.port_id, floatingIp?.fixed_ip_address],
      [created?.port_id, created?.fixed_ip_address],
    );
    assert.deepEqual(await shown(), [floatingIp?.floating_ip_address], 'the list shows it at once');
  });

  it('are one for each port', async () => {
    const { status, body } = await add();

    assert.deepEqual([status, body.code], [409, 'conflict']);
    assert.match(body.detail, /^Every port of the instance/);
    assert.equal((await floatingIps()).length, 1);
  });

  it('are not created twice by two requests at once', async () => {
    await remove();

    const answers = await Promise.all([add(), add()]);

    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
    assert.equal((await floatingIps()).length, 1);
  });

  it('can be two if another port has an external route', async () => {
    const { networkId } = instances.project;
    const added = await instances.ask<{ port_id: string }>('POST', `${id}/interfaces`, {
      net_id: networkId,
    });
    assert.equal(added.status, 201, added.text);

    const answer = await add();
    const both = await floatingIps();
    const third = await add();
    const removed = await instances.ask('DELETE', `${id}/interfaces/${added.body.port_id}`);

    assert.equal(answer.status, 200, answer.text);
    assert.equal(both.find((floatingIp) => floatingIp.id === answer.body.id)?.port_id, added.body.port_id);
    assert.equal(third.status, 409);
    assert.equal(removed.status, 204);
    assert.equal((await floatingIps()).length, 1, 'the floating IP of the interface was released with it');
  });

  it('cannot be had without a way to an external network', async () => {
    const isolated = await instances.create({ network_id: inside.id });

    const answer = await instances.ask<ErrorBody>('POST', `${isolated}/floating-ip`);
    const removed = await instances.ask('DELETE', `${isolated}/floating-ip`);
    await instances.delete(isolated);

    assert.deepEqual([answer.status, answer.body.code], [400, 'no_external_network'], answer.text);
    assert.equal(removed.status, 204, 'there is none to release');
    assert.equal((await floatingIps()).length, 1);
  });

  it('keep what the user made when an interface is removed', async () => {
    const { cloud, networkId } = instances.project;
    const { port_id } = (
      await instances.ask<{ port_id: string }>('POST', `${id}/interfaces`, { net_id: networkId })
    ).body;
    const { floatingip } = await cloud.call<{ floatingip: FloatingIp }>(
      'network',
      'POST',
      '/v2.0/floatingips',
      { floatingip: { floating_network_id: await externalNetworkId(instances.admin), port_id } },
    );

    await instances.ask('DELETE', `${id}/interfaces/${port_id}`);
    const kept = await eventually(async () => {
      const found = (await floatingIps()).find((floatingIp) => floatingIp.id === floatingip.id);
      return found?.port_id === null ? found : undefined;
    });
    await cloud.call('network', 'DELETE', `/v2.0/floatingips/${kept.id}`);

    assert.equal(kept.floating_ip_address, floatingip.floating_ip_address);
  });

  it('are refused with the quota when it is used up', async () => {
    const path = `/v2.0/quotas/${instances.project.cloud.projectId}`;
    await remove();
    await instances.admin.call('network', 'PUT', path, { quota: { floatingip: 0 } });
    const refused = await add();
    await instances.admin.call('network', 'PUT', path, { quota: { floatingip: 10 } });
    const added = await add();

    assert.deepEqual([refused.status, refused.body.code], [409, 'quota_exceeded'], refused.text);
    assert.match(refused.body.detail, /floatingip/);
    assert.equal(added.status, 200);
  });

  it('are hidden from other projects', async () => {
    for (const method of ['POST', 'DELETE']) {
      assert.equal((await instances.ask(method, `${MISSING}/floating-ip`)).status, 404);
      await instances.assertHidden(method, `${id}/floating-ip`);
    }
    assert.equal((await floatingIps()).length, 1);
  });

  it('are deleted with the instance', async () => {
    const short = await instances.create({ network_id: instances.project.networkId });
    await instances.ask('DELETE', `${short}/floating-ip`);
    assert.equal((await instances.ask('POST', `${short}/floating-ip`)).status, 200);

    await instances.delete(short);

    await eventually(async () => (await floatingIps()).length === 1);
  });

  function add() {
    return instances.ask<FloatingIp & ErrorBody>('POST', `${id}/floating-ip`);
  }

  function remove() {
    return instances.ask('DELETE', `${id}/floating-ip`);
  }

  /** All of the project. */
  async function floatingIps(): Promise<FloatingIp[]> {
    const { cloud } = instances.project;
    const path = `/v2.0/floatingips?project_id=${cloud.projectId}`;
    return (await cloud.call<{ floatingips: FloatingIp[] }>('network', 'GET', path)).floatingips;
  }

  /** The floating addresses in the list of instances. */
  async function shown(): Promise<string[]> {
    const rows =
      await instances.gateway.read<{ id: string; ip_addresses: { addr: string; type: string }[] }[]>(
        '/api/instances',
      );
    const row = rows.find((instance) => instance.id === id);
    return (row?.ip_addresses ?? []).filter(({ type }) => type === 'floating').map(({ addr }) => addr);
  }
});
