import assert from 'node:assert/strict';
import type { ErrorBody } from '../support/api/client.ts';
import { eventually } from '../support/eventually.ts';
import { InstanceStack } from '../support/stacks/instance-stack.ts';

interface Detail {
  ip_addresses: { type: string; network_name: string }[];
  security_groups: string[];
}

const SCRIPT = '#!/bin/sh\necho größe\n';

interface Named {
  id: string;
}

describe('options of a creation', function () {
  this.timeout(300_000);
  let instances: InstanceStack;
  let second: string;
  let portId: string;
  let groupId: string;
  let serverGroupId: string;

  /** A call to the network service as a member of the project. */
  const make = async (kind: string, fields: object) => {
    const { cloud } = instances.project;
    const body = await cloud.call<Record<string, Named>>(
      'network',
      'POST',
      `/v2.0/${kind}s`.replace('_', '-'),
      {
        [kind]: fields,
      },
    );
    return body[kind]?.id ?? '';
  };

  before(async () => {
    instances = await InstanceStack.start();
    second = await make('network', { name: 'second' });
    await make('subnet', { network_id: second, cidr: '10.78.0.0/24', ip_version: 4 });
    portId = await make('port', { network_id: second, name: 'own' });
    groupId = await make('security_group', { name: 'web' });
    const made = await instances.gateway.request<Named>('POST', '/api/server-groups', {
      name: 'apart',
      policy: 'anti-affinity',
    });
    serverGroupId = made.body.id;
  });

  after(async () => {
    const { cloud } = instances.project;
    await instances.gateway.request('DELETE', `/api/server-groups/${serverGroupId}`);
    await cloud.call('network', 'DELETE', `/v2.0/ports/${portId}`);
    await cloud.call('network', 'DELETE', `/v2.0/security-groups/${groupId}`);
    await cloud.call('network', 'DELETE', `/v2.0/networks/${second}`);
    await instances.stop();
  });

  const port = async () =>
    (
      await instances.project.cloud.call<{ port: { device_id: string; status: string } }>(
        'network',
        'GET',
        `/v2.0/ports/${portId}`,
      )
    ).port;

  /** As the compute service gives it to the instance. */
  const firstBootOf = async (id: string) => {
    const { server } = await instances.admin.call<{ server: Record<string, string> }>(
      'compute',
      'GET',
      `/servers/${id}`,
    );
    return Buffer.from(server['OS-EXT-SRV-ATTR:user_data'] ?? '', 'base64').toString();
  };

  const options = () => ({
    networks: [{ network_id: instances.project.networkId }, { port_id: portId }],
    security_group_ids: [groupId],
    server_group_id: serverGroupId,
    floating_ip: false,
    user_data: SCRIPT,
  });

  it('are what the instance has, and leave what was there before', async () => {
    const id = await instances.create(options());
    const { body } = await instances.ask<Detail>('GET', id);
    const taken = await port();
    const firstBoot = await firstBootOf(id);
    const inUse = await instances.gateway.request<ErrorBody>('POST', '/api/instances/async', {
      ...(await instances.gateway.smallInstanceRequest('e2e-second')),
      ...options(),
    });
    const groups =
      await instances.gateway.read<{ id: string; instance_ids: string[] }[]>('/api/server-groups');
    await instances.delete(id);
    await eventually(async () => (await instances.ask('GET', id)).status === 404);

    const names = new Set(body.ip_addresses.map(({ network_name }) => network_name));
    assert.deepEqual([...names].toSorted(), ['prepared', 'second']);
    assert.ok(
      body.ip_addresses.every(({ type }) => type === 'fixed'),
      'no floating IP',
    );
    assert.ok(body.security_groups.includes('web'), `${body.security_groups}`);
    assert.deepEqual(groups.find((group) => group.id === serverGroupId)?.instance_ids, [id]);
    assert.equal(taken.device_id, id);
    assert.deepEqual([inUse.status, inUse.body.code], [409, 'conflict'], inUse.text);
    assert.ok(firstBoot.includes(Buffer.from(SCRIPT).toString('base64')), firstBoot);
  });

  it('start no job if the project does not have them', async () => {
    const request = await instances.gateway.smallInstanceRequest('e2e-refused');
    const missing = '00000000-0000-4000-8000-000000000000';

    for (const more of [
      { networks: [{ network_id: missing }] },
      { networks: [{ port_id: missing }] },
      { security_group_ids: [missing] },
      { server_group_id: missing },
    ]) {
      const answer = await instances.gateway.request<ErrorBody>('POST', '/api/instances/async', {
        ...request,
        ...more,
      });

      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input'], answer.text);
      assert.equal(answer.headers.get('x-job-id'), null);
    }
  });
});
