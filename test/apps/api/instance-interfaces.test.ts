import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import type { TestCaller } from '../../support/api/factories.ts';
import { assertConflict, startWithCaller } from '../../support/api/refusals.ts';
import { type ApiSuite, apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixture, fixtureBody } from '../../support/doubles/upstream.ts';

const server = fixtureBody<{ id: string; tenant_id: string }>('compute/server', 'server');
const port = fixtureBody<{ id: string; network_id: string; security_groups: string[] }>(
  'network/port',
  'port',
);
const network = fixtureBody<{ id: string; project_id: string }>('network/network', 'network');
const portPath = fixture('network/port').request.path;
const networkPath = fixture('network/network').request.path;
const interfacePath = fixture('compute/interfaces').request.path;
const groupId = port.security_groups[0] ?? '';
const path = `/api/instances/${server.id}`;

describe('POST /api/instances/{instance_id}/interfaces', () => {
  const suite = apiSuite();

  const refusals: [number, string, number, string, RegExp][] = [
    [400, 'No fixed IP addresses available for network', 409, 'conflict', /No fixed IP addresses/],
    [403, 'Maximum number of ports exceeded', 409, 'quota_exceeded', /quota for ports/],
    [404, 'Network could not be found', 404, 'not_found', /Network/],
    [500, 'Failed to attach network adapter device', 502, 'upstream_error', /compute/],
  ];
  for (const [status, message, expected, code, detail] of refusals) {
    it(`is ${expected} when the compute service answers ${status}: ${message}`, async () => {
      const { api, caller } = await startWithCaller(suite);
      suite.cloud.reply('compute/server');
      replyNetwork(suite, {});
      suite.cloud.reply('compute/interfaces', {
        method: 'POST',
        requestBody: { interfaceAttachment: { net_id: network.id } },
        status,
        body: { [status === 404 ? 'itemNotFound' : 'refused']: { code: status, message } },
      });

      const answer = await add(api, caller);

      assert.deepEqual([answer.status, answer.body.code], [expected, code], answer.text);
      assert.match(answer.body.detail, detail);
    });
  }

  it('is 409 with the state that the instance has come into meanwhile', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');
    replyNetwork(suite, {});
    suite.cloud
      .reply('compute/server-start-active', { path: interfacePath })
      .reply('compute/server', { body: { server: { ...server, 'OS-EXT-STS:task_state': 'rebooting' } } });

    assertConflict(await add(api, caller), /its task state is rebooting\. If this state /);
  });

  it('is 409 if the new interface was removed meanwhile', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');
    replyNetwork(suite, {});
    suite.cloud
      .reply('compute/interfaces', {
        method: 'POST',
        body: { interfaceAttachment: { port_id: port.id, net_id: network.id } },
      })
      .reply('network/network-not-found', { path: portPath });

    assertConflict(await add(api, caller), /has removed the interface meanwhile/);
  });

  it("is 404 for another project's network, also with an administrator's token", async () => {
    const { api, caller } = await startWithCaller(suite, { roles: ['admin'] });
    suite.cloud.reply('compute/server');
    replyNetwork(suite, { project_id: 'another-project' });

    assert.equal((await add(api, caller)).status, 404);
  });
});

describe('DELETE /api/instances/{instance_id}/interfaces/{port_id}', () => {
  const suite = apiSuite();

  for (const [whose, differences] of [
    ['another server', { device_id: 'another-server' }],
    ['another project', { project_id: 'another-project' }],
    ['nobody', { device_id: '' }],
  ] as const) {
    it(`is 404 for a port of ${whose}, also with an administrator's token`, async () => {
      const { api, caller } = await startWithCaller(suite, { roles: ['admin'] });
      suite.cloud.reply('compute/server');
      replyPort(suite, differences);

      const answer = await api.request('DELETE', `${path}/interfaces/${port.id}`, { as: caller });

      assert.equal(answer.status, 404);
    });
  }

  it("completes an interrupted removal: deletes the instance's unconnected port", async () => {
    const { api, caller } = await startWithCaller(suite);
    const metadata = { gateway_job_id: 'the-job' };
    suite.cloud.reply('compute/server', { body: { server: { ...server, metadata } } });
    replyPort(suite, { device_id: '', description: 'gateway job the-job' });
    suite.cloud
      .reply('network/floating-ips', {
        path: `/v2.0/floatingips?port_id=${port.id}&project_id=${caller.projectId}`,
        body: { floatingips: [] },
      })
      .reply('network/port', { method: 'DELETE', status: 204, body: '' });

    const answer = await api.request('DELETE', `${path}/interfaces/${port.id}`, { as: caller });

    assert.equal(answer.status, 204, answer.text);
  });
});

describe('POST /api/instances/{instance_id}/ports/{port_id}/security-groups', () => {
  const suite = apiSuite();

  it("is 404 for another project's group, which an administrator's token shows", async () => {
    const { api, caller } = await startWithCaller(suite, { roles: ['admin'] });
    suite.cloud.reply('compute/server');
    replyPort(suite, {});
    replyGroup(suite, { project_id: 'another-project' });

    assert.equal((await setGroups(api, caller)).status, 404);
  });

  it('accepts a group that another project shares', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');
    replyPort(suite, {});
    replyGroup(suite, { project_id: 'another-project', shared: true });
    suite.cloud.reply('network/port', {
      method: 'PUT',
      requestBody: { port: { security_groups: [groupId] } },
    });

    const answer = await setGroups(api, caller);

    assert.deepEqual(answer.body, {
      port_id: port.id,
      port_name: '',
      security_groups: [{ id: groupId, name: 'shared-group' }],
    });
  });

  it('is 409 with the reason for a port without port security', async () => {
    const { api, caller } = await startWithCaller(suite);
    suite.cloud.reply('compute/server');
    replyPort(suite, {});
    replyGroup(suite, {});
    suite.cloud.reply('network/port', {
      method: 'PUT',
      status: 400,
      body: {
        NeutronError: {
          type: 'PortSecurityAndIPRequiredForSecurityGroups',
          message: 'Port security must be enabled',
          detail: '',
        },
      },
    });

    assertConflict(await setGroups(api, caller), /Port security must be enabled/);
  });

  for (const body of [{}, { security_group_ids: null }, { security_group_ids: [5] }]) {
    it(`is 400 for ${JSON.stringify(body)}`, async () => {
      const { api, caller } = await startWithCaller(suite);

      const answer = await setGroups(api, caller, body);

      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input']);
    });
  }

  function setGroups(api: TestApi, caller: TestCaller, body: object = { security_group_ids: [groupId] }) {
    return api.post<ErrorBody>(`${path}/ports/${port.id}/security-groups`, { as: caller, body });
  }
});

function add(api: TestApi, caller: TestCaller) {
  return api.post<ErrorBody>(`${path}/interfaces`, { as: caller, body: { net_id: network.id } });
}

function replyNetwork(suite: ApiSuite, differences: object): void {
  const { tenant_id: project_id } = server;
  suite.cloud.reply('network/network', {
    path: networkPath,
    body: {
      network: { ...network, project_id, 'router:external': false, shared: false, ...differences },
    },
  });
}

function replyPort(suite: ApiSuite, differences: object): void {
  suite.cloud.reply('network/port', { body: { port: { ...port, ...differences } } });
}

function replyGroup(suite: ApiSuite, differences: object): void {
  const group = { id: groupId, name: 'shared-group', project_id: server.tenant_id, shared: false };
  suite.cloud.reply('network/ports', {
    path: `/v2.0/security-groups?id=${groupId}`,
    body: { security_groups: [{ ...group, ...differences }] },
  });
}
