import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import { networkAnswers, networkCalls, networkRefuses, portOf } from '../../support/api/network.ts';
import { apiSuite } from '../../support/api/suite.ts';

const GROUP = '/api/security-groups/group-1';
const RULES = `${GROUP}/rules`;

function groupOf(caller: TestCaller, differences: object = {}) {
  const rule = { id: 'rule-1', security_group_id: 'group-1', direction: 'ingress', ethertype: 'IPv4' };
  return {
    id: 'group-1',
    name: 'web',
    description: null,
    project_id: caller.projectId,
    shared: false,
    security_group_rules: [
      {
        ...rule,
        protocol: 'tcp',
        port_range_min: 80,
        port_range_max: 80,
        remote_ip_prefix: null,
        remote_group_id: null,
      },
    ],
    ...differences,
  };
}

describe('security groups', () => {
  const suite = apiSuite();

  it('show the address group to which a rule is restricted', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const [rule] = groupOf(caller).security_group_rules;
    const security_group_rules = [
      { ...rule, id: 'all' },
      { ...rule, id: 'some', remote_address_group_id: 'addresses-1' },
    ];
    const security_groups = [groupOf(caller, { security_group_rules })];
    networkAnswers(suite.cloud, `GET /security-groups?project_id=${caller.projectId}`, { security_groups });

    const { body } = await api.get<{ rules: Record<string, unknown>[] }[]>('/api/security-groups', {
      as: caller,
    });

    const shown = body[0]?.rules.map(({ id, remote_address_group_id }) => [id, remote_address_group_id]);
    assert.deepEqual(shown, [
      ['all', null],
      ['some', 'addresses-1'],
    ]);
  });

  it('refuse rules that no group can have, before any call', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const ports = (min?: number, max?: number) => ({ port_range_min: min, port_range_max: max });
    const refused: [object, string][] = [
      [{ direction: 'in' }, 'body.direction'],
      [{ direction: undefined }, 'body.direction'],
      [{ protocol: 'sctp' }, 'body.protocol'],
      [{ ethertype: 'ipv4' }, 'body.ethertype'],
      [{ ...ports(1, 2) }, 'body.protocol'],
      [{ protocol: null, ...ports(1, 2) }, 'body.protocol'],
      [{ protocol: 'tcp', ...ports(1) }, 'body.port_range_max'],
      [{ protocol: 'udp', ...ports(undefined, 1) }, 'body.port_range_min'],
      [{ protocol: 'tcp', ...ports(2, 1) }, 'body.port_range_max'],
      [{ protocol: 'tcp', ...ports(0, 1) }, 'body.port_range_min'],
      [{ protocol: 'tcp', ...ports(1, 65_536) }, 'body.port_range_max'],
      [{ protocol: 'tcp', port_range_min: '80', port_range_max: 80 }, 'body.port_range_min'],
      [{ protocol: 'icmp', ...ports(256) }, 'body.port_range_min'],
      [{ protocol: 'icmp', ...ports(8, 256) }, 'body.port_range_max'],
      [{ protocol: 'icmp', ...ports(undefined, 0) }, 'body.port_range_min'],
      [{ remote_ip_prefix: '10.0.0.1' }, 'body.remote_ip_prefix'],
      [{ remote_ip_prefix: '10.0.0.0/33' }, 'body.remote_ip_prefix'],
      [{ remote_ip_prefix: 'fd00::/8' }, 'body.remote_ip_prefix'],
      [{ remote_ip_prefix: '10.0.0.0/8', ethertype: 'IPv6' }, 'body.remote_ip_prefix'],
      [{ remote_ip_prefix: '10.0.0.0/8', remote_group_id: 'g' }, 'body.remote_group_id'],
      [{ remote_group_id: 'a b' }, 'body.remote_group_id'],
    ];

    for (const [fields, field] of refused) {
      const body = { direction: 'ingress', ...fields };
      const answer = await api.post<ErrorBody>(RULES, { as: caller, body });
      const named = (answer.body.errors ?? []).map((error) => error.field);
      assert.deepEqual([answer.status, named], [400, [field]], JSON.stringify(body));
    }
    assert.deepEqual(networkCalls(suite.cloud), []);
  });

  it('take a rule for all protocols', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    networkAnswers(suite.cloud, 'GET /security-groups/group-1', { security_group: groupOf(caller) });
    const [made] = groupOf(caller).security_group_rules;
    const rule = { security_group_id: 'group-1', direction: 'egress', ethertype: 'IPv4', protocol: null };
    networkAnswers(
      suite.cloud,
      'POST /security-group-rules',
      { security_group_rule: { ...made, protocol: null } },
      { status: 201, requestBody: { security_group_rule: rule } },
    );

    const answer = await api.post(RULES, { as: caller, body: { direction: 'egress', protocol: null } });

    assert.equal(answer.status, 201, answer.text);
  });

  it('get another name or description, and nothing else', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const read = { security_group: groupOf(caller) };
    networkAnswers(suite.cloud, 'GET /security-groups/group-1', read, { times: 2 });
    const requestBody = { security_group: { description: 'of the web servers' } };
    const changed = { security_group: groupOf(caller, requestBody.security_group) };
    networkAnswers(suite.cloud, 'PUT /security-groups/group-1', changed, { requestBody });
    const change = (body: object) =>
      api.request<{ name: string; description: string }>('PUT', GROUP, { as: caller, body });

    assert.equal(
      (await change({ ...requestBody.security_group, stateful: false })).body.description,
      'of the web servers',
    );
    assert.equal((await change({})).body.name, 'web');
    assert.equal((await change({ name: '' })).status, 400);
  });

  it('keep the default group from deletion by an administrator', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const security_group = groupOf(caller, { name: 'default' });
    networkAnswers(suite.cloud, 'GET /security-groups/group-1', { security_group });

    const answer = await api.request<ErrorBody>('DELETE', GROUP, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
  });

  it('name the ports that use them, also without a filter for that', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    networkAnswers(suite.cloud, 'GET /security-groups/group-1', { security_group: groupOf(caller) });
    const refusal = ['SecurityGroupInUse', 'Security Group group-1 in use.'] as [string, string];
    networkRefuses(suite.cloud, 'DELETE /security-groups/group-1', 409, refusal);
    const port = (id: string, group: string) =>
      portOf(caller, { id, device_id: '', device_owner: '', security_groups: [group] });
    const ports = [port('using', 'group-1'), port('other', 'group-2')];
    networkAnswers(suite.cloud, `GET /ports?project_id=${caller.projectId}`, { ports });

    const { body, status } = await api.request<ErrorBody>('DELETE', GROUP, { as: caller });

    assert.deepEqual(
      [status, body.detail],
      [409, 'The security group cannot be deleted: first remove port using.'],
    );
  });

  it('shared with the project can be used in rules, not changed', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const security_group = groupOf(caller, { id: 'group-2', project_id: OTHER_PROJECT, shared: true });
    networkAnswers(suite.cloud, 'GET /security-groups/group-2', { security_group }, { times: 4 });
    networkAnswers(suite.cloud, 'GET /security-groups/group-1', { security_group: groupOf(caller) });
    const [security_group_rule] = groupOf(caller).security_group_rules;
    networkAnswers(suite.cloud, 'POST /security-group-rules', { security_group_rule }, { status: 201 });
    const other = '/api/security-groups/group-2';
    const body = { direction: 'ingress', remote_group_id: 'group-2' };

    const statuses = [
      await api.request('DELETE', other, { as: caller }),
      await api.request('DELETE', `${other}/rules/rule-1`, { as: caller }),
      await api.post(`${other}/rules`, { as: caller, body }),
      await api.post(RULES, { as: caller, body }),
    ].map(({ status }) => status);

    assert.deepEqual(statuses, [403, 403, 403, 201]);
  });

  it('and rules that vanish meanwhile are 404', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const gone = ['SecurityGroupNotFound', 'Security group group-1 does not exist'] as [string, string];
    const group = { security_group: groupOf(caller) };
    networkAnswers(suite.cloud, 'GET /security-groups/group-1', group, { times: 3 });
    networkRefuses(suite.cloud, 'DELETE /security-groups/group-1', 404, gone);
    networkRefuses(suite.cloud, 'DELETE /security-group-rules/rule-1', 404, gone);
    networkRefuses(suite.cloud, 'POST /security-group-rules', 404, gone);
    networkAnswers(suite.cloud, 'GET /extensions', { extensions: [{ alias: 'security-group' }] });

    const statuses = [
      await api.request('DELETE', GROUP, { as: caller }),
      await api.request('DELETE', `${RULES}/rule-1`, { as: caller }),
      await api.post(RULES, { as: caller, body: { direction: 'ingress' } }),
    ].map(({ status }) => status);

    assert.deepEqual(statuses, [404, 404, 404]);
  });
});
