import { BlockList, isIPv6 } from 'node:net';

/** Whether two networks in CIDR notation have addresses in common. */
export function networksOverlap(one: string, other: string): boolean {
  return contains(one, other) || contains(other, one);
}

/** Whether a network contains the first address of another, so one of two that overlap contains the other. */
function contains(network: string, other: string): boolean {
  const [address = '', prefix] = network.split('/');
  const [otherAddress = ''] = other.split('/');
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), family(address));
  return list.check(otherAddress, family(otherAddress));
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
