import {
  commonFiles,
  type GuestFile,
  httpUrl,
  type PlanLine,
  packageLines,
  scriptPart,
  singleLine,
} from '@gateway/cloud-init';
import type { RegistryMirror } from '@gateway/platform';
import { stringify } from 'yaml';
import { guest } from './guest-files.ts';
import type { AgentNodePlan, K3sInstall, NodeGpuPlan } from './plan.ts';
import { unitWord } from './unit-word.ts';

/** The scripts that control nodes and agents share. */
export const nodeScripts: readonly GuestFile[] = [
  ...commonFiles,
  scriptPart('clock.sh'),
  scriptPart('gpu.sh'),
  guest.scriptPart('node-gpu.sh'),
  guest.scriptPart('k3s.sh'),
  guest.staticFile('pod-metadata.sh', '/usr/local/sbin/gateway-pod-metadata', '0755'),
  guest.staticFile('pod-metadata.service', '/etc/systemd/system/gateway-pod-metadata.service'),
  guest.staticFile('certificates.sh', '/usr/local/sbin/gateway-certificates', '0755'),
  guest.staticFile('certificates.service', '/etc/systemd/system/gateway-certificates.service'),
];

/** The lines of the plan for the installation. */
export function k3sLines(k3s: K3sInstall, nodeArguments: string[]): PlanLine[] {
  return [
    ['k3s_version', k3s.version],
    ['installer_url', httpUrl(k3s.installerUrl, 'The URL of the install script')],
    ...optionalLine('installer_sha256', k3s.installerSha256),
    ...optionalLine('channel_url', k3s.channelUrl),
    ...optionalLine('artifact_url', k3s.artifactUrl),
    ...nodeArguments.map((argument): PlanLine => ['argument', unitWord(argument)]),
  ];
}

/** The lines of the plan for GPUs. */
export function gpuLines(gpu: NodeGpuPlan | null): PlanLine[] {
  if (gpu === null) return [];
  return [
    ...packageLines('gpu_package', gpu.driverPackages),
    ...packageLines('gpu_toolkit_package', gpu.toolkitPackages),
  ];
}

type RegistryPlan = Pick<AgentNodePlan, 'k3s' | 'registryCredentials'>;

/** The file with the mirrors of container registries, for root only. Returns no file without a mirror. */
export function registryFiles(plan: RegistryPlan): GuestFile[] {
  const content = registriesOf(plan);
  return content === null ? [] : [{ path: '/etc/rancher/k3s/registries.yaml', permissions: '0600', content }];
}

/** The mirrors of container registries and their credentials, as k3s reads them; null without a mirror. */
export function registriesOf({ k3s: { registries }, registryCredentials }: RegistryPlan): string | null {
  if (registries.length === 0) return null;
  const mirrors = Object.fromEntries(registries.map((mirror) => [mirror.name, mirrorOf(mirror)]));
  const configs = Object.fromEntries(
    registryCredentials.map(({ host, username, password }) => [
      host,
      { auth: { username: singleLine(username), password: singleLine(password) } },
    ]),
  );
  const file = registryCredentials.length === 0 ? { mirrors } : { mirrors, configs };
  return stringify(file, { defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0 });
}

function mirrorOf({ endpoint, rewrite }: RegistryMirror) {
  const rules = rewrite.map(({ pattern, replacement }) => [pattern, replacement]);
  return {
    endpoint: [httpUrl(endpoint, 'The URL of a mirror')],
    ...(rules.length > 0 && { rewrite: Object.fromEntries(rules) }),
  };
}

/** The line of the plan for each time server, which cloud-init itself configures. */
export function timeServerLines(servers: readonly string[]): PlanLine[] {
  return servers.map((server) => ['time_server', singleLine(server)]);
}

function optionalLine(name: string, value: string | null): PlanLine[] {
  return value === null ? [] : [[name, value]];
}
