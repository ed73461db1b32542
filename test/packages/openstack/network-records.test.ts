import assert from 'node:assert/strict';
import {
  descriptionOf,
  floatingIpRecord,
  portRecord,
  securityGroupRecord,
  subnetRecord,
} from '@gateway/openstack';
import { asRecord } from '../../support/doubles/as-record.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

/** What a service may send in place of a text, a number or null. */
const ODD = [undefined, '', 7.5, true, [], {}];

describe('a rule of a security group', () => {
  const rule = {
    id: 'rule',
    security_group_id: 'group',
    direction: 'ingress',
    ethertype: 'IPv4',
    protocol: null,
    port_range_min: null,
    port_range_max: null,
    remote_ip_prefix: null,
    remote_group_id: null,
    remote_address_group_id: null,
  };

  function read(sent: object) {
    const [found] = asRecord(securityGroupRecord, {
      id: 'group',
      security_group_rules: [sent],
    }).security_group_rules;
    assert.ok(found !== undefined);
    return found;
  }

  for (const field of [
    'protocol',
    'remote_ip_prefix',
    'remote_group_id',
    'remote_address_group_id',
  ] as const) {
    it(`is open only if the service says so: ${field}`, () => {
      assert.equal(read(rule)[field], null);
      for (const odd of ODD.slice(1)) assert.equal(read({ ...rule, [field]: odd })[field], 'unknown');
    });
  }

  for (const field of ['port_range_min', 'port_range_max'] as const) {
    it(`is for all ports only if the service says so: ${field}`, () => {
      assert.equal(read(rule)[field], null);
      assert.equal(read({ ...rule, [field]: '443' })[field], 443);
      for (const odd of ODD) assert.equal(read({ ...rule, [field]: odd })[field], -1);
    });
  }

  it('has no address group in a cloud without them', () => {
    const { remote_address_group_id: _, ...rest } = rule;
    assert.equal(read(rest).remote_address_group_id, null);
    const { remote_ip_prefix, ...lacking } = rule;
    assert.equal(remote_ip_prefix, null);
    assert.equal(read(lacking).remote_ip_prefix, 'unknown');
  });

  it('is left out alone if it has no id', () => {
    const group = { id: 'group', security_group_rules: [null, {}, rule] };
    assert.deepEqual(
      asRecord(securityGroupRecord, group).security_group_rules.map(({ id }) => id),
      ['rule'],
    );
    assert.deepEqual(
      asRecord(securityGroupRecord, { id: 'group', security_group_rules: null }).security_group_rules,
      [],
    );
  });
});

describe('a record of the network service', () => {
  const floatingIp = fixtureBody<object>('network/floating-ip', 'floatingip');
  const port = fixtureBody<object>('network/port', 'port');

  it('is a free floating IP only if the service says so', () => {
    assert.equal(asRecord(floatingIpRecord, { ...floatingIp, port_id: null }).port_id, null);
    for (const odd of ODD)
      assert.notEqual(asRecord(floatingIpRecord, { ...floatingIp, port_id: odd }).port_id, null);
  });

  it('is an unused port only if the service says so', () => {
    for (const field of ['device_id', 'device_owner'] as const) {
      assert.equal(asRecord(portRecord, { ...port, [field]: '' })[field], '');
      for (const odd of [undefined, null, 7, {}])
        assert.equal(asRecord(portRecord, { ...port, [field]: odd })[field], null);
    }
  });

  it('has no mark only if the service says so', () => {
    assert.equal(descriptionOf(asRecord(portRecord, { ...port, description: null })), '');
    assert.equal(descriptionOf(asRecord(portRecord, { ...port, description: 'mark' })), 'mark');
    const unsaid = asRecord(portRecord, { ...port, description: undefined });
    assert.throws(() => descriptionOf(unsaid), { status: 502, code: 'upstream_error' });
  });

  it('has a network in CIDR notation, or none', () => {
    const [sent] = fixtureBody<object[]>('network/subnets', 'subnets');
    const read = (differences: object) => asRecord(subnetRecord, { ...sent, ...differences });

    assert.equal(read({ cidr: 'fd00::/64' }).cidr, 'fd00::/64');
    for (const odd of [...ODD, null, '10.0.0.0', '10.0.0.0/x', 'everything'])
      assert.equal(read({ cidr: odd }).cidr, '');
    assert.deepEqual(
      [6, '6', 4, null, 5].map((ip_version) => read({ ip_version }).ip_version),
      [6, 6, 4, 4, 4],
    );
  });
});
