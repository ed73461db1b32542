import type { GuestFile } from './guest-file.ts';

interface Mount {
  where: string;
  description: string;
  /** Undefined for the upper disk: the guest finds the device. */
  what?: string;
  type?: string;
  network?: boolean;
  /** Units that must be active before this unit, and that stop it when they stop. */
  requires?: string[];
  options?: string[];
}

/**
 * A systemd mount unit. Units order the mounts and the network at boot and, reversed, at shutdown: an overlay
 * over a network file system must be unmounted before the network stops.
 */
export function mountUnit({
  where,
  description,
  what,
  type,
  network,
  requires = [],
  options = [],
}: Mount): GuestFile {
  const sections = [
    '[Unit]',
    `Description=${description}`,
    ...(network ? ['Wants=network-online.target', 'After=network-online.target'] : []),
    ...requires.flatMap((name) => [`Requires=${name}`, `After=${name}`]),
    '',
    '[Mount]',
    // systemd treats a single `%` as the start of a specifier.
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

/**
 * The unit name that systemd requires for a mount point. The mount points here contain
 * nothing that must be escaped.
 */
export function unitName(directory: string): string {
  return `${directory.slice(1).replaceAll('/', '-')}.mount`;
}
