import { lookup } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

/** Networks to which no connection is made, because a tenant chooses the address of an API server. */
export class NeverContacted {
  readonly #networks = new BlockList();

  /**
   * @param cidrs IPv4 networks include their IPv4-mapped IPv6 addresses (`::ffff:127.0.0.1`)
   */
  constructor(cidrs: readonly string[]) {
    for (const cidr of cidrs) {
      const [network = '', length] = cidr.split('/');
      this.#networks.addSubnet(network, Number(length), familyOf(network));
    }
  }

  /** Whether the host is an address of the networks; false for a name, whose addresses `lookup` checks. */
  includes(host: string): boolean {
    const address = host.replace(/^\[(.*)\]$/, '$1');
    return isIP(address) !== 0 && this.#networks.check(address, familyOf(address));
  }

  /** Looks up a name. Fails if one of its addresses is in the networks. */
  readonly lookup: LookupFunction = (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      if (addresses.some(({ address }) => this.includes(address))) return done(new Error(REFUSED), []);
      if (options.all === true) return done(null, addresses);
      const [first] = addresses;
      done(null, first?.address ?? '', first?.family);
    });
  };
}

export const REFUSED = 'the address is in a network that is never contacted';

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
