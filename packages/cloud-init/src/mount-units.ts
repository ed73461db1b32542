import { upstreamFailed } from '@gateway/core';
import type { GuestFile } from './guest-file.ts';
import type { Layer, LayerShare, OverlayPlan } from './plan.ts';

const upperDir = '/var/lib/gateway/upper';

/** Mount options have no quoting: what these do not match could add options, or lines, of its own. */
const exportPattern = /^[\w.~:/,@%+=[\]-]+$/;
const identityPattern = /^[\w.@-]+$/;

/**
 * The mounts as systemd units, so that they depend on each other and on the network, at boot and, the other
 * way round, at shutdown: an overlay over a network file system must go before the network does.
 *
 * @throws 502 when what the shared file system service reported can not be mounted
 */
export function mountUnits({ layers }: OverlayPlan): GuestFile[] {
  return [
    ...layers.flatMap((layer, index) => layerUnits(layer, index + 1)),
    unit({ where: upperDir, description: 'Upper layer of /workspace' }),
    workspaceUnit(layers.length),
  ];
}

/** Of a share: `/var/lib/gateway/layers/1` for the lowest layer. */
export function layerUnitName(number: number): string {
  return unitName(layerDir(number));
}

/** Where the key of a layer's share is kept, readable by root alone. */
export function secretPath(number: number): string {
  return `/etc/gateway/first-boot/layer-${number}.secret`;
}

export function mountType({ protocol }: LayerShare): 'nfs' | 'ceph' {
  return protocol === 'NFS' ? 'nfs' : 'ceph';
}

/** The read-only mount that serves; for a writable layer also one to install through, used once. */
function layerUnits({ share, readOnly }: Layer, number: number): GuestFile[] {
  const mount = { what: share.exportLocation, type: mountType(share), network: true };
  if (!exportPattern.test(share.exportLocation)) {
    throw upstreamFailed('The shared file system service named an export location that can not be mounted.');
  }
  const serving = unit({
    ...mount,
    where: layerDir(number),
    description: `Layer ${number} of /workspace`,
    options: ['ro', ...shareOptions(share, number)],
  });
  if (readOnly) return [serving];
  const installing = unit({
    ...mount,
    where: `/var/lib/gateway/install/${number}`,
    description: `Layer ${number} of /workspace, to install its libraries`,
    options: ['rw', ...shareOptions(share, number)],
  });
  return [serving, installing];
}

function shareOptions(share: LayerShare, number: number): string[] {
  const always = ['_netdev', 'nodev', 'nosuid'];
  // retry=0: one try per call, since the script tries again by itself.
  if (share.protocol === 'NFS') return ['hard', 'retry=0', ...always];
  if (share.accessTo === null || share.accessKey === null || !identityPattern.test(share.accessTo)) {
    throw upstreamFailed(
      'The shared file system service gave no identity that its share can be mounted with.',
    );
  }
  return [`name=${share.accessTo}`, `secretfile=${secretPath(number)}`, ...always];
}

/** The kernel takes the topmost of the lower directories first. */
function workspaceUnit(layerCount: number): GuestFile {
  const layers = Array.from({ length: layerCount }, (_, index) => index + 1);
  return unit({
    where: '/workspace',
    description: 'Libraries, and the changes made to them, in layers',
    what: 'overlay',
    type: 'overlay',
    network: true,
    needs: [...layers.map(layerUnitName), unitName(upperDir)],
    options: [
      `lowerdir=${layers.map(layerDir).reverse().join(':')}`,
      `upperdir=${upperDir}/upper`,
      `workdir=${upperDir}/work`,
      '_netdev',
      'nodev',
      'nosuid',
    ],
  });
}

interface Mount {
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

function unit({ where, description, what, type, network, needs = [], options = [] }: Mount): GuestFile {
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

function layerDir(number: number): string {
  return `/var/lib/gateway/layers/${number}`;
}

/** systemd names a mount's unit after its directory; ours need none of its escapes. */
function unitName(directory: string): string {
  return `${directory.slice(1).replaceAll('/', '-')}.mount`;
}
