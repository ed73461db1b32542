import { type GuestFile, mainScript, scriptPart, staticFile } from '../guest-file.ts';
import { overlayFiles, overlayLines, workspaceScripts } from '../instance/files.ts';
import type { OverlayPlan } from '../instance/plan.ts';
import { callbackFiles, callbackUrl, timeLimit } from '../plan-callback.ts';
import { type PlanLine, planFile } from '../plan-file.ts';
import type { VerifierPlan } from './plan.ts';

const scripts = [
  mainScript('verifier/main.sh'),
  ...workspaceScripts,
  scriptPart('callback.sh'),
  scriptPart('reported-work.sh'),
  scriptPart('verifier/imports.sh'),
  staticFile('verifier/import-packages.py', '/usr/local/lib/gateway/import-packages.py'),
];

export function verifierFiles(plan: VerifierPlan): GuestFile[] {
  const overlay: OverlayPlan = { ...plan.workspace, strategy: 'prebuilt', constraints: [], report: null };
  return [
    ...scripts,
    ...overlayFiles(overlay),
    ...callbackFiles(plan.report),
    planFile([...overlayLines(overlay), ...verifierLines(plan)]),
  ];
}

function verifierLines({ imports, pythonVersion, report, timeLimitSeconds }: VerifierPlan): PlanLine[] {
  return [
    ['task', 'verify'],
    ...(pythonVersion === null ? [] : [['python_version', pythonVersion] satisfies PlanLine]),
    ...imports.map((name): PlanLine => ['import', name]),
    ['report_url', callbackUrl(report)],
    ['time_limit', timeLimit(timeLimitSeconds)],
  ];
}
