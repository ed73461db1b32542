import proxyAddr from 'proxy-addr';

/**
 * `networks` contains addresses, networks in CIDR notation or names such as `loopback`. An empty list
 * matches every address.
 */
export function isInNetworks(address: string, networks: string[]): boolean {
  return networks.length === 0 || proxyAddr.compile(networks)(address, 0);
}
