import assert from 'node:assert/strict';
import type { FloatingIpRecord } from '@gateway/openstack';
import { type FloatingIp, presentFloatingIp, rowsInTransition } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import {
  floatingIpOf,
  networkAnswers,
  networkCalls,
  networkRefuses,
  portOf,
  routerOf,
} from '../../support/api/network.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const LIST = '/api/networks/floating-ips';
const ONE = `${LIST}/fip-1`;
const NOT_FORWARDED: FloatingIpRecord['port_forwardings'] = [];
const FORWARDED = [{ internal_ip_address: '10.0.0.5' }];

describe('floating IPs', () => {
  const suite = apiSuite();

  it('are listed in the order of their addresses', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const floatingips = ['203.0.113.10', '203.0.113.9'].map((floating_ip_address) =>
      floatingIpOf(caller, { id: floating_ip_address, floating_ip_address }),
    );
    networkAnswers(suite.cloud, `GET /floatingips?project_id=${caller.projectId}`, { floatingips });

    const { body } = await api.get<{ id: string }[]>(LIST, { as: caller });

    assert.deepEqual(
      body.map(({ id }) => id),
      ['203.0.113.9', '203.0.113.10'],
    );
  });

  it('are in transition while a router has yet to act', () => {
    const isMarked = (status: string, port_id: string | null, port_forwardings = NOT_FORWARDED) =>
      rowsInTransition([presentFloatingIp(floatingIpOf(newCaller(), { status, port_id, port_forwardings }))])
        .length > 0;

    assert.deepEqual([isMarked('DOWN', 'p'), isMarked('ACTIVE', null)], [true, true]);
    assert.deepEqual(
      [isMarked('ACTIVE', 'p'), isMarked('DOWN', null), isMarked('ERROR', 'p')],
      [false, false, false],
    );
    assert.deepEqual([isMarked('DOWN', null, FORWARDED), isMarked('ACTIVE', null, FORWARDED)], [true, false]);
  });

  it('that forward ports are shown as used, and stay so', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const forwarding = floatingIpOf(caller, { status: 'ACTIVE', port_forwardings: FORWARDED });
    const odd = [null, 'ports', [null, {}]].map((port_forwardings, index) => ({
      ...floatingIpOf(caller, { id: `odd-${index}`, floating_ip_address: `203.0.113.${20 + index}` }),
      port_forwardings,
    }));
    networkAnswers(suite.cloud, `GET /floatingips?project_id=${caller.projectId}`, {
      floatingips: [forwarding, ...odd],
    });
    networkAnswers(suite.cloud, 'GET /floatingips/fip-1', { floatingip: forwarding }, { times: 2 });
    networkRefuses(suite.cloud, 'DELETE /floatingips/fip-1', 409, [
      'FipInUseByPortForwarding',
      'Floating IP fip-1 in use by Port Forwarding resources.',
    ]);

    const { body: rows } = await api.get<FloatingIp[]>(LIST, { as: caller });
    const associated = await api.post<ErrorBody>(`${ONE}/associate`, {
      as: caller,
      body: { instance_id: 'i' },
    });
    const deleted = await api.request<ErrorBody>('DELETE', ONE, { as: caller });

    assert.deepEqual(
      rows.map(({ id, has_port_forwardings }) => [id, has_port_forwardings]),
      [
        ['fip-1', true],
        ['odd-0', false],
        ['odd-1', false],
        ['odd-2', false],
      ],
    );
    assert.deepEqual([associated.status, associated.body.reason], [409, 'in_use']);
    assert.match(associated.body.detail, /203\.0\.113\.9 forwards ports, so it cannot be associated/);
    assert.deepEqual([deleted.status, deleted.body.code], [409, 'conflict']);
    assert.match(deleted.body.detail, /in use by Port Forwarding/);
  });

  it('refuse malformed input', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const refused: [string, unknown, string][] = [
      [LIST, {}, 'body.floating_network_id'],
      [LIST, { floating_network_id: 7 }, 'body.floating_network_id'],
      [`${ONE}/associate`, {}, 'body.instance_id'],
      [`${ONE}/associate`, { instance_id: 'a/b' }, 'body.instance_id'],
    ];
    for (const [path, body, field] of refused) {
      const answer = await api.post<ErrorBody>(path, { as: caller, body });
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field], path);
    }
    assert.deepEqual(networkCalls(suite.cloud), []);
  });

  it('are hidden from an administrator of another project', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const floatingip = floatingIpOf(caller, { project_id: OTHER_PROJECT });
    networkAnswers(suite.cloud, 'GET /floatingips/fip-1', { floatingip }, { times: 3 });

    const statuses = [
      await api.post(`${ONE}/associate`, { as: caller, body: { instance_id: 'i' } }),
      await api.post(`${ONE}/disassociate`, { as: caller }),
      await api.request('DELETE', ONE, { as: caller }),
    ].map(({ status }) => status);

    assert.deepEqual(statuses, [404, 404, 404]);
  });

  it('that vanish meanwhile are 404', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const gone = ['FloatingIPNotFound', 'Floating IP fip-1 could not be found'] as [string, string];
    const floatingip = floatingIpOf(caller, { port_id: 'port-1', status: 'ACTIVE' });
    networkAnswers(suite.cloud, 'GET /floatingips/fip-1', { floatingip }, { times: 2 });
    networkRefuses(suite.cloud, 'PUT /floatingips/fip-1', 404, gone);
    networkRefuses(suite.cloud, 'DELETE /floatingips/fip-1', 404, gone);

    const statuses = [
      await api.post(`${ONE}/disassociate`, { as: caller }),
      await api.request('DELETE', ONE, { as: caller }),
    ].map(({ status }) => status);

    assert.deepEqual(statuses, [404, 404]);
  });

  describe('that are associated', () => {
    const server = fixtureBody<{ id: string }>('compute/server', 'server');
    const STALE = ['RevisionNumberConstraintFailed', 'Constrained to 3, but current revision is 4'] as [
      string,
      string,
    ];

    /**
     * An instance of the caller with a port on a routed network. The test responds to the
     * reads of the floating IP.
     */
    async function start() {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const { projectId } = caller;
      suite.cloud.reply('compute/server', { body: { server: { ...server, tenant_id: projectId } } });
      const fixed_ips = [{ subnet_id: 'subnet-1', ip_address: '10.0.0.5' }];
      const port = portOf(caller, { device_id: server.id, fixed_ips });
      const ofInstance = `GET /ports?device_id=${server.id}&project_id=${projectId}`;
      networkAnswers(suite.cloud, ofInstance, { ports: [port] });
      networkAnswers(suite.cloud, `GET /floatingips?port_id=port-1&project_id=${projectId}`, {
        floatingips: [],
      });
      suite.cloud.reply('network/ports', {
        path: /device_owner=network%3Arouter_interface/,
        body: { ports: [{ ...port, device_id: 'router-1', device_owner: 'network:router_interface' }] },
      });
      networkAnswers(suite.cloud, 'GET /routers?id=router-1', { routers: [routerOf(caller)] });
      const associate = () =>
        api.post<ErrorBody & FloatingIpRecord>(`${ONE}/associate`, {
          as: caller,
          body: { instance_id: server.id },
        });
      return { caller, associate };
    }

    function reads(caller: TestCaller, differences: Partial<FloatingIpRecord>): void {
      networkAnswers(suite.cloud, 'GET /floatingips/fip-1', {
        floatingip: floatingIpOf(caller, differences),
      });
    }

    const ifRevision = (revision: number) => ({
      requestHeaders: { 'if-match': `revision_number=${revision}` },
    });

    it('by somebody else meanwhile stay with them', async () => {
      const { caller, associate } = await start();
      reads(caller, { revision_number: 3 });
      networkRefuses(suite.cloud, 'PUT /floatingips/fip-1', 412, STALE, ifRevision(3));
      reads(caller, { revision_number: 4, port_id: 'port-of-others' });

      const { status, body } = await associate();

      assert.deepEqual([status, body.code], [409, 'conflict']);
      assert.match(body.detail, /is associated with the port port-of-others already/);
    });

    it('while the service changes their status are associated after it', async () => {
      const { caller, associate } = await start();
      reads(caller, { revision_number: 3, status: 'ACTIVE' });
      networkRefuses(suite.cloud, 'PUT /floatingips/fip-1', 412, STALE, ifRevision(3));
      reads(caller, { revision_number: 4 });
      const floatingip = floatingIpOf(caller, { port_id: 'port-1' });
      networkAnswers(suite.cloud, 'PUT /floatingips/fip-1', { floatingip }, ifRevision(4));
      const addresses = { inside: [{ addr: '203.0.113.9', version: 4, 'OS-EXT-IPS:type': 'floating' }] };
      suite.cloud.reply('compute/server', { body: { server: { ...server, addresses } } });

      const { status, body } = await associate();

      assert.deepEqual([status, body.port_id], [200, 'port-1']);
    });

    it('in a cloud without revisions are associated whatever has changed', async () => {
      const { caller, associate } = await start();
      reads(caller, { revision_number: undefined });
      networkRefuses(suite.cloud, 'PUT /floatingips/fip-1', 409, ['Conflict', 'is in use']);

      assert.equal((await associate()).status, 409);
      const put = suite.cloud.upstream.calls.find(({ method }) => method === 'PUT');
      assert.equal(put?.headers['if-match'], undefined);
    });
  });

  it('are 409 when the external network has no free address', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const network = { ...fixtureBody<object>('network/network', 'network'), id: 'external' };
    networkAnswers(suite.cloud, 'GET /networks/external', {
      network: { ...network, 'router:external': true },
    });
    networkRefuses(suite.cloud, 'POST /floatingips', 409, [
      'IpAddressGenerationFailure',
      'No more IP addresses available on network external.',
    ]);

    const answer = await api.post<ErrorBody>(LIST, { as: caller, body: { floating_network_id: 'external' } });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
  });
});
