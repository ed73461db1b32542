import type { GuestFile } from './guest-file.ts';

export interface Mount {
  where: string;
  description: string;
  /** Left out for the upper disk: which device it is, only the guest can tell. */
  what?: string;
  type?: string;
  network?: boolean;
  /** Units that must be there first, and without which this one stops. */
  needs?: string[];
  options?: string[];
}

/**
 * A mount as a unit of systemd, so that mounts depend on each other and on the network, at boot and, the other
 * way round, at shutdown: an overlay over a network file system must go before the network does.
 */
export function mountUnit({
  where,
  description,
  what,
  type,
  network,
  needs = [],
  options = [],
}: Mount): GuestFile {
  const sections = [
    '[Unit]',
    `Description=${description}`,
    ...(network ? ['Wants=network-online.target', 'After=network-online.target'] : []),
    ...needs.flatMap((name) => [`Requires=${name}`, `After=${name}`]),
    '',
    '[Mount]',
    // A `%` would be read as the begin of a specifier.
    ...(what === undefined ? [] : [`What=${what.replaceAll('%', '%%')}`]),
    `Where=${where}`,
    ...(type === undefined ? [] : [`Type=${type}`]),
    ...(options.length === 0 ? [] : [`Options=${options.join(',')}`]),
    'TimeoutSec=90',
  ];
  return {
    path: `/etc/systemd/system/${unitName(where)}`,
    permissions: '0644',
    content: `${sections.join('\n')}\n`,
  };
}

/** systemd names a mount's unit after its directory; ours need none of its escapes. */
export function unitName(directory: string): string {
  return `${directory.slice(1).replaceAll('/', '-')}.mount`;
}
