import type { GuestFile } from './guest-file.ts';
import { layerUnitName, mountType, mountUnits, secretPath } from './mount-units.ts';
import type { OverlayPlan } from './plan.ts';

/** The files that depend on the plan: mount units, the keys, and the values that the script reads. */
export function overlayFiles(overlay: OverlayPlan): GuestFile[] {
  if (overlay.layers.length === 0) throw new Error('A layered instance needs at least one layer.');
  return [...mountUnits(overlay), ...secretFiles(overlay), planFile(overlay)];
}

function secretFiles({ layers }: OverlayPlan): GuestFile[] {
  return layers.flatMap(({ share }, index) =>
    share.accessKey === null
      ? []
      : [
          {
            path: secretPath(index + 1),
            permissions: '0600' as const,
            content: `${singleLine(share.accessKey)}\n`,
          },
        ],
  );
}

/** A name and a value per line, read to the end of the line: there is nothing to quote, and no secret in it. */
function planFile({ upperVolumeId, upperDevice, strategy, layers }: OverlayPlan): GuestFile {
  const mountTypes = new Set(layers.map(({ share }) => mountType(share)));
  const lines: [name: string, value: string][] = [
    ['strategy', strategy],
    ['upper_volume_id', upperVolumeId],
    ['upper_device', upperDevice],
    ...[...mountTypes].map((type): [string, string] => ['mount_type', type]),
  ];
  for (const [index, { readOnly, packages }] of layers.entries()) {
    const number = index + 1;
    lines.push(['layer_unit', layerUnitName(number)]);
    if (readOnly) continue;
    lines.push(['install', String(number)]);
    for (const requirement of packages) lines.push([`package_${number}`, requirement]);
  }
  return {
    path: '/etc/gateway/first-boot/plan',
    permissions: '0644',
    content: lines.map(([name, value]) => `${name} ${singleLine(value)}\n`).join(''),
  };
}

function singleLine(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  if (value.trim() === '' || /[\u0000-\u001f\u007f]/.test(value)) {
    throw new Error('A value of the first-boot data is empty or holds control characters.');
  }
  return value;
}
