import { planFile, scriptPart } from '@gateway/cloud-init';
import { guest } from './guest-files.ts';
import { k3sLines, registriesOf } from './k3s-files.ts';
import type { AgentNodePlan, K3sInstall } from './plan.ts';

/** The variable of the pod with the mirrors of registries. Without it, the node keeps those that it has. */
export const REGISTRIES_VARIABLE = 'GATEWAY_REGISTRIES';

/**
 * The value of that variable; null without mirrors. Contains the credentials of the mirrors, so it must be in
 * a secret.
 */
export function nodeRegistries(plan: Pick<AgentNodePlan, 'k3s' | 'registryCredentials'>): string | null {
  return registriesOf(plan)?.trimEnd() ?? null;
}

/** The replacement of k3s on one node by another release, which may be the same. */
export interface NodeUpgradePlan {
  /** Distinguishes the upgrades of a node: a repeated plan continues its upgrade. */
  jobId: string;
  role: 'server' | 'agent';
  nodeName: string;
  k3s: K3sInstall;
}

/** The parts of the script that the machine runs. It depends on no script of the machine's first boot. */
const parts = [
  ...['report.sh', 'programs.sh', 'environment.sh'].map((name) => scriptPart(name)),
  ...['k3s.sh', 'upgrade/run.sh'].map((name) => guest.scriptPart(name)),
];

/**
 * The command of a pod that upgrades its node: it enters the namespaces of the machine, starts the upgrade as
 * a service there, and waits for its end. Exits with 1 if the upgrade has failed; the last line of its output
 * is the reason. The pod needs the process namespace of the machine, and the program `nsenter`.
 */
export function nodeUpgradeCommand(plan: NodeUpgradePlan): string[] {
  const script = ['#!/bin/bash\nset -euo pipefail\n', ...parts.map(({ content }) => content)].join('\n');
  const plannedFile = planFile([
    ['job', plan.jobId],
    ['role', plan.role],
    ['node', plan.nodeName],
    ...k3sLines(plan.k3s, []),
  ]);
  const start = guest.scriptPart('upgrade/start.sh').content;
  const unit = guest.scriptPart('upgrade/gateway-upgrade.service').content;
  const entered = ['nsenter', '-t', '1', '-m', '-u', '-i', '-n', '--', '/bin/bash', '-c'];
  return [...entered, start, 'gateway-upgrade', script, unit, plannedFile.content];
}
