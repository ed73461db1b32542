import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../shared/kubernetes', import.meta.url));
const stateDir = process.env.KUBERNETES_STATE_DIR ?? '/var/lib/gateway-kubernetes';

/** The program of the API servers. */
export const apiServerProgram = `${stateDir}/bin/current/kube-apiserver`;

/** A real API server, on the loopback. */
export interface KubernetesCluster {
  server: string;
  kubeconfig: string;
  kubectl: string;
  down(): void;
}

/** Whether the programs of real clusters are built. Tests never build them. */
export function hasKubernetes(): boolean {
  return existsSync(`${folder}/up`) && existsSync(`${stateDir}/bin/current/complete`);
}

/** Starts an API server; nodes are optional, because nothing runs on them. */
export function startKubernetes(name: string, ...options: string[]): KubernetesCluster {
  const facts = JSON.parse(run('up', name, ...options)) as {
    server: string;
    kubeconfig: string;
    kubectl: string | null;
  };
  return {
    server: facts.server,
    kubeconfig: facts.kubeconfig,
    kubectl: facts.kubectl ?? 'kubectl',
    down: () => void run('down', name),
  };
}

function run(command: string, ...args: string[]): string {
  return execFileSync(`${folder}/${command}`, args, { encoding: 'utf8' });
}
