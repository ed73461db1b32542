import { isIP, isIPv6 } from 'node:net';
import {
  callbackFiles,
  callbackUrl,
  type GuestFile,
  type PlanLine,
  planFile,
  scriptPart,
  secretFile,
  timeLimit,
} from '@gateway/cloud-init';
import { guest } from './guest-files.ts';
import { gpuLines, k3sLines, nodeScripts, registryFiles, timeServerLines } from './k3s-files.ts';
import { nodeFile } from './node-file.ts';
import type { ControlNodePlan, NodePlugin } from './plan.ts';

const scripts = [
  guest.mainScript('control-node.sh'),
  ...nodeScripts,
  scriptPart('callback.sh'),
  scriptPart('report-identity.sh'),
  guest.scriptPart('plugins.sh'),
  guest.scriptPart('node-report.sh'),
  guest.scriptPart('kubeconfig-report.sh'),
  guest.staticFile('control-node-certificates.timer', '/etc/systemd/system/gateway-certificates.timer'),
];

/** The guest generates this token, because others may read the first-boot data. */
const AGENT_TOKEN_FILE = '/etc/rancher/k3s/agent-token';

export function controlNodeFiles(plan: ControlNodePlan, timeServers: readonly string[]): GuestFile[] {
  const { token, caPem } = plan.callback;
  return [
    ...scripts,
    ...callbackFiles({ token, caCertificate: caPem }),
    secretFile('renewal-token', plan.renewal.token),
    ...registryFiles(plan),
    ...plan.files.map(nodeFile),
    ...plan.plugins.map(manifestFile),
    planFile([...planLines(plan), ...timeServerLines(timeServers)]),
  ];
}

function planLines(plan: ControlNodePlan): PlanLine[] {
  return [
    ['task', 'control-node'],
    ...k3sLines(plan.k3s, serverArguments(plan)),
    ...gpuLines(plan.gpu),
    ['address', hostAddress(plan)],
    ['api_host', isIPv6(plan.address) ? `[${plan.address}]` : plan.address],
    ...plan.plugins.flatMap(pluginLines),
    ['report_url', callbackUrl(plan.callback)],
    ['progress_url', callbackUrl({ url: plan.callback.progressUrl })],
    ['renewal_url', callbackUrl(plan.renewal)],
    ['time_limit', timeLimit(plan.timeLimitSeconds)],
  ];
}

function pluginLines({ key, workloads }: NodePlugin): PlanLine[] {
  return [
    ['plugin', key],
    ...workloads.map(({ kind, name, app }): PlanLine => {
      if (![kind, name, app].every((word) => /^[\w.-]+$/.test(word))) {
        throw new Error('A workload of a plugin is invalid.');
      }
      return ['workload', `${key} ${kind.toLowerCase()}/${name} ${app}`];
    }),
  ];
}

function serverArguments({ nodeName, tlsSans, serverArguments: further }: ControlNodePlan): string[] {
  return [
    ...['--node-name', nodeName],
    ...['--write-kubeconfig-mode', '600'],
    ...['--agent-token-file', AGENT_TOKEN_FILE],
    ...tlsSans.flatMap((name) => ['--tls-san', name]),
    ...further,
  ];
}

function hostAddress({ address }: ControlNodePlan): string {
  if (isIP(address) === 0 && !/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(address)) {
    throw new Error('The address of a control node is neither an IP address nor a DNS name.');
  }
  return address;
}

function manifestFile({ key, manifests }: NodePlugin): GuestFile {
  if (!/^[a-z0-9_]+$/.test(key)) throw new Error('The key of a plugin is invalid.');
  return nodeFile({ path: `/opt/k3s/${key}-manifests.yaml`, mode: '0600', content: manifests });
}
