import assert from 'node:assert/strict';
import type { SecurityGroup, SecurityGroupRule } from '@gateway/resources';
import { NetworkProject } from '../support/projects/network-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';

const LIST = '/api/security-groups';

interface NewRule extends SecurityGroupRule {
  security_group_id: string;
}

describe('security groups', function () {
  this.timeout(300_000);
  let project: NetworkProject;
  let server: Prepared | undefined;

  before(async () => {
    project = await NetworkProject.start();
  });

  after(async () => {
    await server?.remove();
    await project?.remove();
  });

  const list = async () => (await project.ask<SecurityGroup[]>('GET', LIST)).body;
  const rulesOf = async (id: string) => (await list()).find((group) => group.id === id)?.rules ?? [];
  const make = (body: object) => project.make<SecurityGroup>(LIST, body);

  it('are listed with their rules, starting with the default group', async () => {
    const group = await make({ name: 'a-web', description: 'of the web servers' });
    const rows = await list();

    assert.deepEqual([group.name, group.description], ['a-web', 'of the web servers']);
    assert.deepEqual(
      group.rules.map(({ direction, ethertype, protocol }) => [direction, ethertype, protocol]).sort(),
      [
        ['egress', 'IPv4', null],
        ['egress', 'IPv6', null],
      ],
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['default', 'a-web'],
    );
    const [standard] = rows;
    assert.deepEqual(
      standard?.rules.filter(({ direction }) => direction === 'ingress').map((rule) => rule.remote_group_id),
      [standard?.id, standard?.id],
    );
    await project.isUnlisted(LIST, group.id);
    await project.isHidden('PUT', `${LIST}/${group.id}`, { name: 'x' });
    await project.isHidden('DELETE', `${LIST}/${group.id}`);
    const changed = await project.ask<SecurityGroup>('PUT', `${LIST}/${group.id}`, { name: 'a-db' });
    assert.deepEqual(changed.body, { ...group, name: 'a-db' });
    assert.deepEqual((await list())[1]?.name, 'a-db');
    await project.drop(`${LIST}/${group.id}`);
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [standard?.id],
    );
    assert.equal((await project.ask('DELETE', `${LIST}/${group.id}`)).status, 404);
  });

  it('keep the default one, whose name is taken', async () => {
    const [standard] = await list();
    const path = `${LIST}/${standard?.id}`;
    await project.refused(409, /default security group .* cannot be deleted/, ['DELETE', path]);
    await project.refused(409, /already exists/, ['POST', LIST, { name: 'default' }]);
    await project.refused(409, /not allowed/, ['PUT', path, { name: 'mine' }]);
    const described = await project.ask<SecurityGroup>('PUT', path, { description: 'of all' });
    assert.deepEqual(described.body, { ...standard, description: 'of all' });
    await project.isHidden('DELETE', path);
  });

  it('get rules for ports, ICMP types, networks and groups, without duplicates', async () => {
    const group = await make({ name: 'ruled' });
    const remote = await make({ name: 'remote' });
    const rules = `${LIST}/${group.id}/rules`;
    const add = (body: object) => project.make<NewRule>(rules, { direction: 'ingress', ...body });
    const open = {
      ethertype: 'IPv4',
      remote_ip_prefix: null,
      remote_group_id: null,
      remote_address_group_id: null,
    };
    const web = await add({
      protocol: 'tcp',
      port_range_min: 80,
      port_range_max: 443,
      remote_ip_prefix: '192.0.2.0/24',
    });
    assert.deepEqual(web, {
      id: web.id,
      direction: 'ingress',
      protocol: 'tcp',
      port_range_min: 80,
      port_range_max: 443,
      ...open,
      remote_ip_prefix: '192.0.2.0/24',
      remote_group_name: null,
      security_group_id: group.id,
      security_group_name: 'ruled',
    });
    const ping = await add({ protocol: 'icmp', port_range_min: 8, port_range_max: 0 });
    assert.deepEqual([ping.protocol, ping.port_range_min, ping.port_range_max], ['icmp', 8, 0]);
    const all = await add({ protocol: null, remote_group_id: remote.id });
    assert.deepEqual([all.protocol, all.remote_group_id, all.remote_group_name], [null, remote.id, 'remote']);
    const six = await add({ protocol: 'udp', ethertype: 'IPv6', remote_ip_prefix: 'fd00::/8' });
    assert.deepEqual([six.ethertype, six.remote_ip_prefix], ['IPv6', 'fd00::/8']);
    assert.equal((await rulesOf(group.id)).length, 6);

    const again = { direction: 'ingress', protocol: 'icmp', port_range_min: 8, port_range_max: 0 };
    const { code } = await project.refused(409, /already exists/, ['POST', rules, again]);
    assert.equal(code, 'conflict');
    const allOut = { direction: 'egress', remote_ip_prefix: '0.0.0.0/0' };
    await project.refused(409, /already exists/, ['POST', rules, allOut]);
    const unknown = { direction: 'ingress', remote_group_id: crypto.randomUUID() };
    await project.refused(404, /does not exist/, ['POST', rules, unknown]);
    await project.refused(404, /does not exist/, ['POST', `${LIST}/${crypto.randomUUID()}/rules`, again]);

    await project.drop(`${rules}/${web.id}`);
    await project.refused(404, /no such rule/, ['DELETE', `${rules}/${web.id}`]);
    await project.refused(404, /no such rule/, ['DELETE', `${LIST}/${remote.id}/rules/${ping.id}`]);
    assert.equal((await rulesOf(group.id)).length, 5);
    await project.drop(`${LIST}/${remote.id}`);
    assert.deepEqual(
      (await rulesOf(group.id)).filter(({ remote_group_id }) => remote_group_id !== null),
      [],
      'with the remote group go the rules that name it',
    );
    await project.drop(`${LIST}/${group.id}`);
  });

  it('of others are neither changed nor named in rules, also by administrators', async () => {
    const group = await make({ name: 'hidden' });
    const [rule] = group.rules;
    await project.isHidden('POST', `${LIST}/${group.id}/rules`, { direction: 'ingress', protocol: 'tcp' });
    await project.isHidden('DELETE', `${LIST}/${group.id}/rules/${rule?.id}`);
    for (const other of Object.values(project.others)) {
      const [theirs] = (await project.ask<SecurityGroup[]>('GET', LIST, undefined, other)).body;
      const body = { direction: 'ingress', remote_group_id: group.id };
      const answer = await project.ask('POST', `${LIST}/${theirs?.id}/rules`, body, other);
      assert.equal(answer.status, 404, answer.text);
    }
    await project.drop(`${LIST}/${group.id}`);
  });

  it('are not deleted while ports have them, whose devices are named', async () => {
    const group = await make({ name: 'in-use' });
    const { networkId } = await project.makeSubnet('10.95.0.0/24');
    const port = await project.makePort(networkId, { name: 'guarded', security_groups: [group.id] });
    server = await project.makeServer(networkId);
    const [ofServer] = await project.direct<{ id: string }[]>('GET', `/ports?device_id=${server.id}`);
    const change = { port: { security_groups: [group.id] } };
    await project.direct('PUT', `/ports/${ofServer?.id}`, change);

    const { detail } = await project.refused(409, new RegExp(`port "guarded" \\(${port}\\)`), [
      'DELETE',
      `${LIST}/${group.id}`,
    ]);

    assert.match(detail, new RegExp(`instance "beside-[\\w-]+" \\(${server.id}\\)`));
    await server.remove();
    server = undefined;
    await project.direct('DELETE', `/ports/${port}`);
    await project.drop(`${LIST}/${group.id}`);
  });

  it('and rules beyond the quota are refused', async () => {
    const group = await make({ name: 'last' });
    const body = { direction: 'ingress', protocol: 'udp' };
    const refused = await project.withoutQuota(['security_group', 'security_group_rule'], async () => [
      await project.refused(409, /quota/, ['POST', LIST, { name: 'more' }]),
      await project.refused(409, /quota/, ['POST', `${LIST}/${group.id}/rules`, body]),
    ]);
    assert.deepEqual(
      refused.map(({ code }) => code),
      ['quota_exceeded', 'quota_exceeded'],
    );
  });
});
