import {
  commonFiles,
  type GuestFile,
  libraryFiles,
  mainScript,
  scriptPart,
  staticFile,
} from '../guest-file.ts';
import { mountType, shareSecret } from '../layer-share.ts';
import { callbackFiles, callbackUrl } from '../plan-callback.ts';
import { constraintFiles, interpreterLines, type PlanLine, packageLines, planFile } from '../plan-file.ts';
import type { FirstBootPlan, OverlayPlan } from './plan.ts';
import { layerSecretName, layerUnitName, workspaceUnits } from './workspace-units.ts';

/** The files of machines that set up /workspace, besides the main script. */
export const workspaceScripts: readonly GuestFile[] = [
  ...commonFiles,
  ...libraryFiles,
  scriptPart('instance/layers.sh'),
  scriptPart('instance/upper-disk.sh'),
  scriptPart('instance/workspace.sh'),
];

const scripts = [mainScript('instance/main.sh'), ...workspaceScripts, scriptPart('gpu.sh')];

const reportScripts = [
  scriptPart('callback.sh'),
  scriptPart('report-identity.sh'),
  staticFile('instance/workspace-report.sh', '/usr/local/sbin/gateway-workspace-report', '0755'),
  staticFile('instance/workspace-report.service', '/etc/systemd/system/gateway-workspace-report.service'),
];

const searchPaths = [
  staticFile('instance/workspace.env', '/etc/gateway/workspace.env'),
  staticFile('instance/profile.sh', '/etc/profile.d/gateway-workspace.sh'),
];

/** The files for the first boot. Returns none if it has no work. */
export function instanceFiles({ overlay, gpu }: FirstBootPlan): GuestFile[] {
  const lines = [
    ...(overlay === null ? [] : overlayLines(overlay)),
    ...(gpu === null ? [] : packageLines('gpu_package', gpu.driverPackages)),
  ];
  if (lines.length === 0) return [];
  return [...scripts, ...(overlay === null ? [] : overlayFiles(overlay)), planFile(lines)];
}

/** The mounts of /workspace, and the search paths of its users. */
export function overlayFiles(overlay: OverlayPlan): GuestFile[] {
  if (overlay.layers.length === 0) throw new Error('A layered instance requires at least one layer.');
  return [
    ...searchPaths,
    ...workspaceUnits(overlay),
    ...constraintFiles(overlay.constraints),
    ...(overlay.report === null ? [] : [...reportScripts, ...callbackFiles(overlay.report)]),
    ...overlay.layers.flatMap(({ share }, index) => shareSecret(share, layerSecretName(index + 1))),
  ];
}

/** The lines of the plan for /workspace. */
export function overlayLines({
  upperVolumeId,
  upperDevice,
  strategy,
  layers,
  report,
}: OverlayPlan): PlanLine[] {
  const mountTypes = new Set(layers.map(({ share }) => mountType(share)));
  const lines: PlanLine[] = [
    ['strategy', strategy],
    ['upper_volume_id', upperVolumeId],
    ['upper_device', upperDevice],
    ...(report === null ? [] : [['report_url', callbackUrl(report)] satisfies PlanLine]),
    ...[...mountTypes].map((type): PlanLine => ['mount_type', type]),
  ];
  for (const [index, { readOnly, interpreters, packages }] of layers.entries()) {
    const number = index + 1;
    lines.push(['layer_unit', layerUnitName(number)]);
    if (readOnly) continue;
    lines.push(['install', String(number)], ...interpreterLines(interpreters));
    for (const requirement of packages) lines.push([`package_${number}`, requirement]);
  }
  return lines;
}
