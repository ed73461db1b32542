import { commonFiles, type GuestFile, libraryFiles, mainScript, scriptPart } from '../guest-file.ts';
import { mountType, nfsVersionFile, shareSecret, shareUnit } from '../layer-share.ts';
import { callbackFiles, callbackUrl, timeLimit } from '../plan-callback.ts';
import { constraintFiles, interpreterLines, type PlanLine, planDir, planFile } from '../plan-file.ts';
import type { BuilderPlan } from './plan.ts';

const scripts = [
  mainScript('builder/main.sh'),
  ...commonFiles,
  ...libraryFiles,
  scriptPart('callback.sh'),
  scriptPart('reported-work.sh'),
  scriptPart('builder/library.sh'),
];

const SHARE_SECRET_NAME = 'share.secret';

export function builderFiles(plan: BuilderPlan): GuestFile[] {
  return [
    ...scripts,
    shareUnit(plan.share, {
      where: '/var/lib/gateway/share',
      description: 'Share of the new library',
      readOnly: false,
      secretName: SHARE_SECRET_NAME,
    }),
    ...nfsVersionFile([plan.share]),
    ...shareSecret(plan.share, SHARE_SECRET_NAME),
    ...callbackFiles(plan.report),
    ...commandFiles(plan.commands),
    ...constraintFiles(plan.constraints),
    planFile(planLines(plan)),
  ];
}

function planLines({
  library,
  pythonVersion,
  interpreters,
  bringsInterpreter,
  share,
  packages,
  report,
  timeLimitSeconds,
}: BuilderPlan): PlanLine[] {
  return [
    ['task', 'build'],
    ['library', library.id],
    ['version', library.version],
    ...(pythonVersion === null ? [] : [['python_version', pythonVersion] satisfies PlanLine]),
    ...interpreterLines(interpreters),
    ...(bringsInterpreter ? [['brings_interpreter', 'yes'] satisfies PlanLine] : []),
    ['mount_type', mountType(share)],
    ...packages.map((requirement): PlanLine => ['package_1', requirement]),
    ['report_url', callbackUrl(report)],
    ['time_limit', timeLimit(timeLimitSeconds)],
  ];
}

/** Numbered in their order: `01`, `02`… */
function commandFiles(commands: string[]): GuestFile[] {
  const digits = Math.max(2, String(commands.length).length);
  return commands.map((content, index) => ({
    path: `${planDir}/commands/${String(index + 1).padStart(digits, '0')}`,
    permissions: '0644',
    content,
  }));
}
