import type { GuestFile } from '../guest-file.ts';
import { nfsVersionFile, shareUnit } from '../layer-share.ts';
import { mountUnit, unitName } from '../mount-unit.ts';
import type { Layer, OverlayPlan } from './plan.ts';

const UPPER_DIR = '/var/lib/gateway/upper';

/**
 * @throws 502 if the machine cannot mount a share
 */
export function workspaceUnits({ layers }: OverlayPlan): GuestFile[] {
  return [
    ...layers.flatMap((layer, index) => layerUnits(layer, index + 1)),
    mountUnit({ where: UPPER_DIR, description: 'Upper layer of /workspace' }),
    workspaceUnit(layers.length),
    ...nfsVersionFile(layers.map(({ share }) => share)),
  ];
}

/** The mount unit of a layer. The lowest layer, 1, is mounted at `/var/lib/gateway/layers/1`. */
export function layerUnitName(number: number): string {
  return unitName(layerDir(number));
}

/** The name of the file that contains the key of a layer's share. */
export function layerSecretName(number: number): string {
  return `layer-${number}.secret`;
}

/** The read-only mount of a layer; for a writable layer also the mount for the installation. */
function layerUnits({ share, readOnly }: Layer, number: number): GuestFile[] {
  const secretName = layerSecretName(number);
  const readOnlyUnit = shareUnit(share, {
    where: layerDir(number),
    description: `Layer ${number} of /workspace`,
    readOnly: true,
    secretName,
  });
  if (readOnly) return [readOnlyUnit];
  const installUnit = shareUnit(share, {
    where: `/var/lib/gateway/install/${number}`,
    description: `Layer ${number} of /workspace, writable for the installation`,
    readOnly: false,
    secretName,
  });
  return [readOnlyUnit, installUnit];
}

/** The overlay of all layers. In `lowerdir` the topmost layer comes first. */
function workspaceUnit(layerCount: number): GuestFile {
  const layers = Array.from({ length: layerCount }, (_, index) => index + 1);
  return mountUnit({
    where: '/workspace',
    description: 'Overlay of the libraries and the upper disk',
    what: 'overlay',
    type: 'overlay',
    network: true,
    requires: [...layers.map(layerUnitName), unitName(UPPER_DIR)],
    options: [
      `lowerdir=${layers.map(layerDir).reverse().join(':')}`,
      `upperdir=${UPPER_DIR}/upper`,
      `workdir=${UPPER_DIR}/work`,
      '_netdev',
      'nodev',
      'nosuid',
    ],
  });
}

function layerDir(number: number): string {
  return `/var/lib/gateway/layers/${number}`;
}
