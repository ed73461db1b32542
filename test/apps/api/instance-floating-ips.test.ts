import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import type { TestCaller } from '../../support/api/factories.ts';
import { assertConflict, startWithCaller } from '../../support/api/refusals.ts';
import { type ApiSuite, apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

const server = fixtureBody<{
  id: string;
  tenant_id: string;
  addresses: Record<string, { addr: string; 'OS-EXT-IPS:type': string }[]>;
}>('compute/server', 'server');
const port = fixtureBody<{
  id: string;
  network_id: string;
  fixed_ips: { subnet_id: string; ip_address: string }[];
}>('network/port', 'port');
const floatingIp = fixtureBody<{ id: string; floating_ip_address: string }>(
  'network/floating-ip-create',
  'floatingip',
);
const path = `/api/instances/${server.id}/floating-ip`;
const address = port.fixed_ips[0];

const EXTERNAL = [
  { id: 'id-of-b', name: 'b', 'router:external': true },
  { id: 'id-of-a', name: 'a', 'router:external': true },
  { id: 'id-of-c', name: 'c', 'router:external': true },
];

describe('POST /api/instances/{instance_id}/floating-ip', () => {
  const suite = apiSuite();

  it("uses the gateway network of the router of the address's subnet", async () => {
    const { api, caller } = await startWithCaller(suite);
    replyPorts(suite, [port]);
    replyRouter(suite, 'gateway-network');
    replyCreation(suite, 'gateway-network');
    suite.cloud.reply('compute/server');

    const answer = await add(api, caller);

    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, {
      id: floatingIp.id,
      floating_ip_address: floatingIp.floating_ip_address,
    });
    const audit = await eventually(async () => api.log.withMessage('Audit').at(0));
    assert.equal(audit.resource_id, `${server.id}/${floatingIp.id}`);
  });

  for (const [configured, chosen] of [
    [null, 'id-of-a'],
    ['id-of-c', 'id-of-c'],
    ['unknown', 'id-of-a'],
  ] as const) {
    it(`takes ${chosen} when no router is visible and ${configured} is configured`, async () => {
      const settings = { instances: { external_network_id: configured } };
      const { api, caller } = await startWithCaller(suite, {}, { settings });
      replyPorts(suite, [port]);
      replyRouter(suite, null);
      replyExternal(suite, EXTERNAL);
      replyCreation(suite, chosen);
      suite.cloud.reply('compute/server');

      assert.equal((await add(api, caller)).status, 200);
    });
  }

  it('is 400 if there is no external network', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyPorts(suite, [port]);
    replyRouter(suite, null);
    replyExternal(suite, []);

    const { status, body } = await add(api, caller);

    assert.deepEqual([status, body.code], [400, 'no_external_network']);
  });

  it('is 400 if no router leads to the external network', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyPorts(suite, [port]);
    replyRouter(suite, null);
    replyExternal(suite, EXTERNAL);
    const message = 'External network id-of-a is not reachable from subnet s.';
    refuseCreation(suite, 404, message);
    // A cloud without floating IPs answers 404 as well.
    suite.cloud.reply('network/networks', {
      path: /\/extensions$/,
      body: { extensions: [{ alias: 'router' }] },
    });

    const { status, body } = await add(api, caller);

    assert.deepEqual([status, body.code], [400, 'no_external_network']);
  });

  it('is 500 if the external network has no free address', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyPorts(suite, [port]);
    replyRouter(suite, 'gateway-network');
    refuseCreation(suite, 409, 'No more IP addresses available on network gateway-network.');

    const { status, body } = await add(api, caller);

    assert.deepEqual([status, body.code], [500, 'floating_ip_failed']);
  });

  it('is 409 if a concurrent request has associated a floating IP', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyPorts(suite, [port]);
    replyRouter(suite, 'gateway-network');
    refuseCreation(suite, 409, 'Cannot associate floating IP: that fixed IP already has a floating IP.');

    assertConflict(await add(api, caller), /^Every port of the instance/);
  });

  it('is 409 for an instance without an address', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');
    suite.cloud.reply('network/ports', {
      path: `/v2.0/ports?device_id=${server.id}&project_id=${caller.projectId}`,
      body: { ports: [] },
    });
    replyExternal(suite, EXTERNAL);

    assertConflict(await add(api, caller), /has no address/);
  });

  it('is 409 for an instance that is being deleted, without a call', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server', {
      body: { server: { ...server, 'OS-EXT-STS:task_state': 'deleting' } },
    });

    assertConflict(await add(api, caller), /its task state is deleting/);
  });
});

describe('DELETE /api/instances/{instance_id}/floating-ip', () => {
  const suite = apiSuite();
  const project = server.tenant_id;
  const other = { ...floatingIp, id: 'f1f1f1f1-0000-4000-8000-000000000002', port_id: port.id };
  const listPorts = `/v2.0/ports?device_id=${server.id}&project_id=${project}`;

  /** The instance, with two floating IPs. */
  function replyFloatingIps(): void {
    suite.cloud
      .reply('compute/server')
      .reply('network/ports', { path: listPorts, body: { ports: [port] } })
      .reply('network/floating-ips', {
        path: `/v2.0/floatingips?port_id=${port.id}&project_id=${project}`,
        body: { floatingips: [{ ...floatingIp, port_id: port.id }, other] },
      })
      .reply('network/floating-ips', { path: /description=/, body: { floatingips: [] } });
  }

  function replyRemoval(id: string, status: number): void {
    const path = `/v2.0/floatingips/${id}`;
    suite.cloud.reply('network/floating-ips', { method: 'DELETE', path, status, body: '' });
  }

  function remove(api: TestApi, caller: TestCaller) {
    return api.request<ErrorBody>('DELETE', path, { as: caller });
  }

  async function auditOf(api: TestApi) {
    return eventually(async () => api.log.withMessage('Audit').at(0));
  }

  it('names in the audit log what the network service does not release', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyFloatingIps();
    replyRemoval(floatingIp.id, 204);
    replyRemoval(other.id, 409);
    suite.cloud.reply('compute/server', { body: { server: { ...server, addresses: {} } } });

    const { status } = await remove(api, caller);

    assert.equal(status, 204);
    assert.deepEqual((await auditOf(api)).leftovers, [`floating_ip ${other.id}`]);
  });

  it('is 204 if none can be released', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyFloatingIps();
    replyRemoval(floatingIp.id, 409);
    replyRemoval(other.id, 409);

    const { status } = await remove(api, caller);

    assert.equal(status, 204);
    const { leftovers, resource_id } = await auditOf(api);
    assert.equal(resource_id, server.id);
    assert.deepEqual(
      new Set(leftovers as string[]),
      new Set([`floating_ip ${floatingIp.id}`, `floating_ip ${other.id}`]),
    );
  });

  it('names the addresses of the instance while the network service fails', async () => {
    const { api, caller } = await startWithCaller(suite);
    const shown = Object.values(server.addresses)
      .flat()
      .filter((one) => one['OS-EXT-IPS:type'] === 'floating');
    suite.cloud
      .reply('compute/server')
      .reply('network/ports', { path: listPorts, status: 500, body: {} })
      .reply('network/floating-ips', { path: /description=/, optional: true, body: { floatingips: [] } });

    const { status } = await remove(api, caller);

    assert.equal(status, 204);
    assert.deepEqual(
      (await auditOf(api)).leftovers,
      shown.map(({ addr }) => `floating_ip ${addr}`),
    );
    assert.notEqual(shown.length, 0, 'the recorded server has a floating IP');
  });

  it('is 403 for a caller who may not release them', async () => {
    const { api, caller } = await startWithCaller(suite);
    replyFloatingIps();
    replyRemoval(floatingIp.id, 403);
    replyRemoval(other.id, 403);

    assert.equal((await remove(api, caller)).status, 403);
  });
});

function add(api: TestApi, caller: TestCaller) {
  return api.post<ErrorBody>(path, { as: caller });
}

/** The instance, its ports, and no floating IPs on them. */
function replyPorts(suite: ApiSuite, ports: object[]): void {
  const project = server.tenant_id;
  suite.cloud
    .reply('compute/server')
    .reply('network/ports', {
      path: `/v2.0/ports?device_id=${server.id}&project_id=${project}`,
      body: { ports },
    })
    .reply('network/floating-ips', {
      path: `/v2.0/floatingips?port_id=${port.id}&project_id=${project}`,
      body: { floatingips: [] },
    });
}

/** A router that connects the address's subnet to the network; null for no visible router. */
function replyRouter(suite: ApiSuite, externalNetworkId: string | null): void {
  const owners = [
    'network:router_interface',
    'network:router_interface_distributed',
    'network:ha_router_replicated_interface',
  ].map((owner) => `device_owner=${encodeURIComponent(owner)}`);
  const routerPort = { ...port, device_id: 'the-router', device_owner: 'network:router_interface' };
  suite.cloud.reply('network/ports', {
    path: `/v2.0/ports?network_id=${port.network_id}&${owners.join('&')}`,
    body: { ports: externalNetworkId === null ? [] : [routerPort] },
  });
  if (externalNetworkId === null) return;
  suite.cloud.reply('network/routers', {
    path: '/v2.0/routers?id=the-router',
    body: { routers: [{ id: 'the-router', external_gateway_info: { network_id: externalNetworkId } }] },
  });
}

function replyExternal(suite: ApiSuite, networks: object[]): void {
  suite.cloud.reply('network/networks', {
    path: `/v2.0/networks?${encodeURIComponent('router:external')}=true`,
    body: { networks },
  });
}

/** One call that creates the floating IP and associates it, with a mark. */
function replyCreation(suite: ApiSuite, externalNetworkId: string): void {
  suite.cloud.reply('network/floating-ip-create', {
    requestBody: {
      floatingip: {
        floating_network_id: externalNetworkId,
        port_id: port.id,
        fixed_ip_address: address?.ip_address,
        description: `gateway instance ${server.id}`,
      },
    },
  });
}

function refuseCreation(suite: ApiSuite, status: number, message: string): void {
  suite.cloud.reply('network/floating-ip-create', {
    status,
    body: { NeutronError: { type: 'Refused', message, detail: '' } },
  });
}
