import { BlockList, isIP } from 'node:net';

/**
 * Whether the host of a URL is reached without a proxy: it is of this machine, or in the list, which has
 * hosts, domains with all below them, addresses, and networks. Node.js knows no networks.
 *
 * @param list the text of `NO_PROXY`, where `*` means all hosts
 */
export function isProxyException(hostname: string, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const exceptions = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  if (exceptions.includes('*')) return true;
  const version = isIP(host);
  if (version !== 0) {
    const networks = ['127.0.0.0/8', '::1', ...exceptions];
    return networks.some((network) => blockListOf(network).check(host, typeOf(version)));
  }
  return ['localhost', ...exceptions].some((exception) => {
    const domain = exception.replace(/^\*?\./, '');
    return host === domain || host.endsWith(`.${domain}`);
  });
}

/** An address, a network such as 10.0.0.0/8, or a range such as 10.0.0.1-10.0.0.9. Empty for others. */
function blockListOf(network: string): BlockList {
  const blockList = new BlockList();
  const [address = '', prefix] = network.split('/');
  const [first = '', last = first] = address.split('-');
  const type = typeOf(isIP(first));
  try {
    if (prefix === undefined) blockList.addRange(first, last, type);
    else blockList.addSubnet(address, Number(prefix || Number.NaN), type);
  } catch {
    // A host, or what is nothing of these.
  }
  return blockList;
}

function typeOf(version: number): 'ipv4' | 'ipv6' {
  return version === 6 ? 'ipv6' : 'ipv4';
}
