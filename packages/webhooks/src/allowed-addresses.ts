import ipaddr from 'ipaddr.js';

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Public addresses at which a cloud shows machines what is theirs. */
const METADATA = new Set(['168.63.129.16']);
/** What is routed in the internet. Other ranges are for something special, such as embedded addresses. */
const GLOBAL_IPV6: Network = [ipaddr.parse('2000::'), 3];

/** The addresses to which the gateway connects for what users have entered. */
export class AllowedAddresses {
  readonly #networks: readonly Network[];

  /** @param networks addresses or networks that are allowed although they are not public */
  constructor(networks: readonly string[]) {
    this.#networks = networks.map(parseNetwork);
  }

  /** False for what is no address, too. */
  isAllowed(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    if (this.#networks.some((network) => isWithin(parsed, network))) return true;
    if (parsed.range() !== 'unicast' || METADATA.has(parsed.toString())) return false;
    return parsed.kind() === 'ipv4' || isWithin(parsed, GLOBAL_IPV6);
  }
}

function parseNetwork(network: string): Network {
  if (network.includes('/')) return ipaddr.parseCIDR(network);
  const address = ipaddr.parse(network);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Network): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}
