import assert from 'node:assert/strict';
import { isIPv6 } from 'node:net';
import { chooseSubnet } from '../../../apps/worker/src/sagas/lite-clusters/choose-subnet.ts';

describe('the subnet of a cluster', () => {
  const inside = { podCidr: '10.42.0.0/16', serviceCidr: '10.43.0.0/16' };

  function choose(...cidrs: string[]): string {
    const subnets = cidrs.map((cidr) => ({
      id: cidr,
      cidr,
      ip_version: isIPv6(cidr.split('/')[0] ?? '') ? (6 as const) : (4 as const),
    }));
    return chooseSubnet(inside, { name: 'lab' }, subnets).id;
  }

  it('is the first of IPv4', () => {
    assert.equal(choose('fd00::/64', '10.0.0.0/24', '10.1.0.0/24'), '10.0.0.0/24');
    assert.equal(choose('10.41.0.0/16', '10.44.0.0/16'), '10.41.0.0/16');
  });

  it('is refused without IPv4', () => {
    assert.throws(() => choose(), { status: 400, code: 'network_required', message: /no subnet/ });
    assert.throws(() => choose('fd00::/64'), { status: 400, message: /IPv6 subnets only/ });
  });

  it('is refused if it overlaps with the networks inside the cluster', () => {
    for (const cidr of ['10.42.0.0/16', '10.42.7.0/24', '10.40.0.0/13', '0.0.0.0/0']) {
      assert.throws(() => choose('10.0.0.0/24', cidr), {
        message: /10\.42\.0\.0\/16, the network of the pods/,
      });
    }
    assert.throws(() => choose('10.43.255.0/24'), { message: /the network of the services/ });
  });
});
