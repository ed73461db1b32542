import type { GuestFile } from '../guest-file.ts';
import { shareUnit } from '../layer-share.ts';
import { mountUnit, unitName } from '../mount-unit.ts';
import type { Layer, OverlayPlan } from './plan.ts';

const upperDir = '/var/lib/gateway/upper';

/** @throws 502 when what the shared file system service reported can not be mounted */
export function workspaceUnits({ layers }: OverlayPlan): GuestFile[] {
  return [
    ...layers.flatMap((layer, index) => layerUnits(layer, index + 1)),
    mountUnit({ where: upperDir, description: 'Upper layer of /workspace' }),
    workspaceUnit(layers.length),
  ];
}

/** Of a share: `/var/lib/gateway/layers/1` for the lowest layer. */
export function layerUnitName(number: number): string {
  return unitName(layerDir(number));
}

/** Names the file with the key of a layer's share. */
export function layerSecretName(number: number): string {
  return `layer-${number}.secret`;
}

/** The read-only mount that serves; for a writable layer also one to install through, used once. */
function layerUnits({ share, readOnly }: Layer, number: number): GuestFile[] {
  const secretName = layerSecretName(number);
  const serving = shareUnit(share, {
    where: layerDir(number),
    description: `Layer ${number} of /workspace`,
    readOnly: true,
    secretName,
  });
  if (readOnly) return [serving];
  const installing = shareUnit(share, {
    where: `/var/lib/gateway/install/${number}`,
    description: `Layer ${number} of /workspace, to install its libraries`,
    readOnly: false,
    secretName,
  });
  return [serving, installing];
}

/** The kernel takes the topmost of the lower directories first. */
function workspaceUnit(layerCount: number): GuestFile {
  const layers = Array.from({ length: layerCount }, (_, index) => index + 1);
  return mountUnit({
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

function layerDir(number: number): string {
  return `/var/lib/gateway/layers/${number}`;
}
