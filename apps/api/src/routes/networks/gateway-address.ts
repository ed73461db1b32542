import { BlockList, isIPv6 } from 'node:net';
import { invalidInput } from '@gateway/core';

/** 4 or 6: the version of an address or of a network in CIDR notation. */
export function ipVersionOf(cidr: string): 4 | 6 {
  return cidr.includes(':') ? 6 : 4;
}

/**
 * Checks that a subnet's gateway is one of its addresses. The service would accept a gateway elsewhere, which
 * nothing in the subnet can reach. The service decides which of the subnet's addresses are allowed.
 *
 * @throws 400
 */
export function requireGatewayInside(cidr: string, gatewayIp: string | null | undefined): void {
  if (gatewayIp === null || gatewayIp === undefined || contains(cidr, gatewayIp)) return;
  const message = `must be an address of ${cidr}`;
  throw invalidInput(`The gateway ${message}.`, { errors: [{ field: 'body.gateway_ip', message }] });
}

function contains(cidr: string, address: string): boolean {
  const [network = '', bits] = cidr.split('/');
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  if (isIPv6(address) !== (family === 'ipv6')) return false;
  const range = new BlockList();
  range.addSubnet(network, Number(bits), family);
  return range.check(address, family);
}
