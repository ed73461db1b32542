import { NODES, objectKey, objectsOf, PODS } from './objects.ts';
import type { KubernetesCluster, KubernetesObject } from './state.ts';

/** How upgrades of nodes proceed. */
export interface UpgradeBehaviour {
  durationMs: number;
  /** The names of the nodes whose upgrade fails, with the old release put back. */
  failing: readonly string[];
}

/** The release in the plan of an upgrade, which is an argument of its pod. */
const RELEASE = /^k3s_version (\S+)$/m;
const FAILURE = 'k3s v9 did not become ready in time; the release before was put back\n';

/**
 * Ends the upgrades that have taken their time: their pods have succeeded, and the kubelets of their nodes
 * have the new release. Called before each request, so that it needs no timer.
 */
export function endUpgrades(
  cluster: KubernetesCluster,
  { durationMs, failing }: UpgradeBehaviour,
  nowMs: number,
): void {
  for (const pod of objectsOf(cluster, PODS)) {
    const release = releaseIn(pod);
    if (release === undefined || pod.status?.phase !== 'Running') continue;
    if (Date.parse(String(pod.status.startTime)) + durationMs > nowMs) continue;
    const name = String(pod.spec?.nodeName);
    const node = cluster.objects.get(objectKey(NODES, undefined, name));
    const hasFailed = failing.includes(name);
    if (!hasFailed && node !== undefined) setRelease(cluster, node, release);
    const terminated = hasFailed ? { exitCode: 1, message: FAILURE } : { exitCode: 0 };
    pod.status = {
      ...pod.status,
      phase: hasFailed ? 'Failed' : 'Succeeded',
      containerStatuses: [{ name: 'upgrade', state: { terminated } }],
    };
    cluster.revision += 1;
  }
}

function setRelease(cluster: KubernetesCluster, node: KubernetesObject, release: string): void {
  node.status = {
    ...node.status,
    nodeInfo: { ...(node.status?.nodeInfo as object), kubeletVersion: release },
  };
  const isControl = node.metadata.labels?.['node-role.kubernetes.io/control-plane'] !== undefined;
  if (isControl) cluster.version = release;
}

function releaseIn({ spec }: KubernetesObject): string | undefined {
  const [container] = (spec?.containers ?? []) as { command?: string[] }[];
  const texts = Array.isArray(container?.command) ? container.command.map(String) : [];
  return texts.map((text) => RELEASE.exec(text)?.[1]).find((release) => release !== undefined);
}
