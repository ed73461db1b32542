import { BlockList, isIP } from 'node:net';

const LOOPBACK = ['localhost', '127.0.0.0/8', '::1'];

/** The hosts that are reached without a proxy: addresses, networks, and domains with all below them. */
export class ProxyExceptions {
  readonly #networks = new BlockList();
  readonly #domains: string[] = [];

  constructor(exceptions: readonly string[]) {
    for (const exception of [...LOOPBACK, ...exceptions]) this.#add(exception);
  }

  /** Whether the host of a URL is one of them. IPv6 addresses may be in brackets. */
  include(hostname: string): boolean {
    const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
    const version = isIP(host);
    if (version !== 0) return this.#networks.check(host, version === 6 ? 'ipv6' : 'ipv4');
    return this.#domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
  }

  #add(exception: string): void {
    const [address = '', prefix] = exception.split('/');
    const version = isIP(address);
    if (version === 0) {
      this.#domains.push(exception.replace(/^\*?\./, '').toLowerCase());
      return;
    }
    const length = prefix === undefined ? (version === 6 ? 128 : 32) : Number(prefix);
    this.#networks.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  }
}
