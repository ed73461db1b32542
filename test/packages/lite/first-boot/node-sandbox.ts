import type { AgentNodePlan, ControlNodePlan } from '@gateway/lite';
import { GuestSandbox } from '../../cloud-init/guest-sandbox.ts';
import { agentNode, controlNode } from '../../cloud-init/plan.ts';
import type { Receiver } from '../../cloud-init/receiver.ts';

/** The final report of a control node. */
export interface NodeReport {
  token: string;
  success: boolean;
  kubeconfig?: string;
  node_token?: string;
  server_ip: string;
  k3s_version?: string;
  plugin_status: Record<string, string>;
  plugin_pods?: Record<string, object[]>;
  error: string | null;
}

/** The result of a node's first boot. */
export const statusFile = '/var/lib/gateway/first-boot/status.json';
export const logFile = '/var/log/gateway-first-boot.log';
export const callbackToken = 'c2VjcmV0LXRva2Vu';
/** The second one fails. */
export const plugins = [
  { key: 'first', manifests: 'kind: A\n', workloads: [] },
  { key: 'bad_one', manifests: 'kind: B\n', workloads: [] },
  { key: 'third', manifests: 'kind: C\n', workloads: [] },
];

export const certificateHash = 'ab'.repeat(32);

export const accessConfig = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: Q0E=
    server: https://127.0.0.1:6443
  name: default
`;

/**
 * The programs of a node whose k3s works; a file `api-down` or a manifest with `bad_` in
 * its name makes it fail. A workload with `unavailable` in its name never becomes available, one with
 * `crashing` does so for a moment.
 */
const nodePrograms = {
  k3s: `
    printf '%s\\n' "$*" >> "$guest/k3s.log"
    case "$*" in
        *--raw*) [ ! -e "$guest/api-down" ] ;;
        *apply*bad_*) echo 'error when applying {"password":"kubectl-secret"}'; exit 1 ;;
        *rollout*unavailable*) exit 1 ;;
        *rollout*crashing*) echo >> "$guest/looks"; [ "$(($(wc -l < "$guest/looks") % 2))" = 1 ] ;;
        *"get pods"*) cat "$guest/pods.json" ;;
        --version) printf 'k3s version v1.36.1+k3s1 (abcdef)\\ngo version go1.25\\n' ;;
    esac`,
  systemctl: `
    printf '%s\\n' "$*" >> "$guest/systemctl.log"
    case $1 in
        is-system-running) cat "$guest/system-state" 2> /dev/null || echo running ;;
        is-active) [ ! -e "$guest/not-joined" ] ;;
    esac`,
  journalctl: 'echo "k3s: an unknown option"',
};

/** Records its environment and its arguments. */
const installerLines = `
printf '%s\\n' "$INSTALL_K3S_EXEC" "$INSTALL_K3S_VERSION" "$INSTALL_K3S_SKIP_START" "$INSTALL_K3S_CHANNEL_URL" \\
    "$INSTALL_K3S_ARTIFACT_URL" "\${K3S_URL-none}" "\${K3S_TOKEN_FILE-none}" "\${K3S_TOKEN-none}" > "$guest/installer-environment"
printf '%s\\n' "$@" > "$guest/installer-arguments"
echo installed >> "$guest/installer-runs"
`;

/** A control node that downloads its installer from the receiver. `body` replaces the installer's work. */
export function controlNodeGuest(
  receiver: Receiver,
  plan: Partial<ControlNodePlan> = {},
  body = installerLines,
): GuestSandbox {
  const progressUrl = `${receiver.origin}/progress`;
  const callback = { url: receiver.url, progressUrl, token: callbackToken, caPem: null };
  const k3s = { ...controlNode().k3s, installerUrl: `${receiver.origin}/install?[a]`, ...plan.k3s };
  const guest = new GuestSandbox(controlNode({ callback, ...plan, k3s }), nodePrograms);
  guest.write('/etc/rancher/k3s/k3s.yaml', accessConfig);
  guest.write('/var/lib/rancher/k3s/server/token', `K10${certificateHash}::server:servers-only\n`);
  serveInstaller(receiver, guest, body);
  return guest;
}

export function agentGuest(
  receiver: Receiver,
  plan: Partial<AgentNodePlan> = {},
  body = installerLines,
): GuestSandbox {
  const k3s = { ...agentNode().k3s, installerUrl: `${receiver.origin}/install`, ...plan.k3s };
  const guest = new GuestSandbox(agentNode({ ...plan, k3s }), nodePrograms);
  serveInstaller(receiver, guest, body);
  return guest;
}

/** The bodies of the final reports, without those of the stages before. */
export function finalBodies(receiver: Receiver): string[] {
  return receiver.bodies.filter((body) => 'success' in JSON.parse(body));
}

export function reportsTo(receiver: Receiver): NodeReport[] {
  return finalBodies(receiver).map((body) => JSON.parse(body));
}

export function resultOf(guest: GuestSandbox): { result: string; stage: string; reason: string } {
  return JSON.parse(guest.read(statusFile) ?? '');
}

/** @returns the text of the installer */
export function installerOf(guest: GuestSandbox, body = installerLines): string {
  return `#!/bin/sh\nguest=${guest.folder}\n${body}`;
}

function serveInstaller(receiver: Receiver, guest: GuestSandbox, body: string): void {
  receiver.download = (path) => (path.startsWith('/install') ? installerOf(guest, body) : null);
}
