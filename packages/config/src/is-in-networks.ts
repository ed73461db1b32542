import proxyAddr from 'proxy-addr';

/** `networks` holds addresses, networks in CIDR notation or names such as `loopback`. An empty list contains every address. */
export function isInNetworks(address: string, networks: string[]): boolean {
  return networks.length === 0 || proxyAddr.compile(networks)(address, 0);
}
