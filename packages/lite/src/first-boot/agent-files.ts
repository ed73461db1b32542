import {
  callbackFiles,
  callbackUrl,
  type GuestFile,
  type PlanLine,
  planFile,
  scriptPart,
  secretFile,
} from '@gateway/cloud-init';
import { guest } from './guest-files.ts';
import { gpuLines, k3sLines, nodeScripts, registryFiles, timeServerLines } from './k3s-files.ts';
import type { AgentNodePlan } from './plan.ts';

const scripts = [
  guest.mainScript('agent.sh'),
  ...nodeScripts,
  scriptPart('callback.sh'),
  guest.staticFile('agent-certificates.timer', '/etc/systemd/system/gateway-certificates.timer'),
];

export function agentFiles(plan: AgentNodePlan, timeServers: readonly string[]): GuestFile[] {
  return [
    ...scripts,
    secretFile('join-token', plan.token),
    ...(plan.failureReport === null ? [] : callbackFiles(plan.failureReport)),
    ...registryFiles(plan),
    planFile([...planLines(plan), ...timeServerLines(timeServers)]),
  ];
}

function planLines(plan: AgentNodePlan): PlanLine[] {
  const { nodeName, k3s, gpu, serverUrl, agentArguments, failureReport } = plan;
  return [
    ['task', 'agent'],
    ...k3sLines(k3s, ['--node-name', nodeName, ...agentArguments]),
    ...gpuLines(gpu),
    ['server_url', httpsOrigin(serverUrl)],
    ...(failureReport === null ? [] : [['report_url', callbackUrl(failureReport)] satisfies PlanLine]),
  ];
}

/**
 * The k3s unit reads the URL from an environment file, in which quotes and backslashes
 * have a special meaning.
 */
function httpsOrigin(serverUrl: string): string {
  const url = URL.parse(serverUrl);
  if (url?.protocol !== 'https:' || !/^[\w.:[\]-]+$/.test(url.host)) {
    throw new Error('The URL of a cluster’s API server must use https.');
  }
  return url.origin;
}
